package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.bench.Conversation.Turn;
import org.hotrow.bench.Serving.Layout;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final Serving HYBRID = new Serving(Layout.OURS, KvPolicy.HYBRID, false);

    private static Conversation conversation(Turn... turns) {
        return new Conversation(List.of(turns));
    }

    private static Turn turn(double start, int prompt, int output) {
        return new Turn(start, prompt, output, position -> Conversation.token(7, position));
    }

    /** A prompt of 1,000 tokens and 3 tokens: two steps decode. Then the next turn, which waits for its time. */
    @Test
    void takesTheTimeOfItsSteps() {
        StepTime steps = HYBRID.stepTime();
        ReplayResult result = Replay.play(HYBRID, List.of(conversation(turn(0, 1000, 3), turn(60, 1000, 1))), 1);
        TurnTimes first = result.turns().getFirst();
        double prefill = steps.seconds(StepWork.prefill(0, 1000));
        assertThat(first.timeToFirstToken()).isCloseTo(H200Node.FRONT_END + prefill, within(1e-6));
        assertThat(first.timePerToken()).isCloseTo(steps.seconds(StepWork.decode(1, 1000)), within(1e-6));
        TurnTimes second = result.turns().get(1);
        assertThat(second.sent()).isEqualTo(60_000_000_000L);
        assertThat(second.cached()).isEqualTo(1000 / 64 * 64);
        assertThat(result.seconds()).isCloseTo(60.5, within(0.2));
        assertThat(result.running()).isCloseTo(1, within(1e-9));
    }

    /** 13 turns of one conversation: 83,196 tokens that nobody has seen, 92 % of the prompts are found. */
    @Test
    void findsWhatWasSaid() {
        ReplayResult result = Replay.play(HYBRID, OpenHands.conversations(1), 1);
        assertThat(result.turns()).hasSize(13);
        assertThat(result.turns().stream().mapToLong(TurnTimes::prompt).sum()).isEqualTo(1_039_974);
        assertThat(result.turns().stream().mapToLong(TurnTimes::output).sum()).isEqualTo(2_860);
        long computed =
                result.turns().stream().mapToLong(t -> t.prompt() - t.cached()).sum();
        assertThat(computed).isBetween(83_196L, 83_196L + 12 * 64);
        assertThat(result.prefixHitRate()).isCloseTo(0.920, within(0.001));
        assertThat(result.interactivity()).isCloseTo(89.6, within(0.2));
        assertThat(result.spilledPages()).isZero();
        assertThat(result.hotHitRate()).isEqualTo(1);
    }

    /** The same events again, to the nanosecond; and pressure: pages are lost, hot regions serve them. */
    @Test
    void isDeterministicUnderPressure() {
        List<Conversation> conversations = OpenHands.conversations(8);
        ReplayResult once = Replay.play(HYBRID, conversations, 8);
        assertThat(Replay.play(HYBRID, conversations, 8)).isEqualTo(once);
        assertThat(once.spilledPages()).isGreaterThan(1000);
        assertThat(once.hotHitRate()).isBetween(0.7, 0.95);
    }

    /** Eight at once go through faster than one after another, and each waits longer. */
    @Test
    void clientsShareTheNode() {
        List<Conversation> conversations = OpenHands.conversations(8);
        ReplayResult alone = Replay.play(HYBRID, conversations, 1);
        ReplayResult together = Replay.play(HYBRID, conversations, 8);
        assertThat(together.seconds()).isLessThan(alone.seconds() / 2);
        assertThat(together.interactivity()).isLessThan(alone.interactivity() / 2);
        assertThat(together.running()).isBetween(4.0, 8.0);
    }

    /** Four requests of 80K fit on the device; the hybrid runs more at once. Without a host nothing is found again. */
    @Test
    void policiesDiffer() {
        List<Conversation> conversations = OpenHands.conversations(12);
        ReplayResult hybrid = Replay.play(HYBRID, conversations, 12);
        ReplayResult offload = Replay.play(new Serving(Layout.OURS, KvPolicy.OFFLOAD, false), conversations, 12);
        ReplayResult resident = Replay.play(new Serving(Layout.OURS, KvPolicy.RESIDENT, false), conversations, 12);
        assertThat(hybrid.running()).isGreaterThan(8);
        assertThat(offload.running()).isBetween(3.0, 4.5);
        assertThat(offload.prefixHitRate()).isCloseTo(0.92, within(0.01));
        assertThat(resident.prefixHitRate()).isZero();
        assertThat(hybrid.throughputPerGpu()).isGreaterThan(offload.throughputPerGpu());
        assertThat(offload.throughputPerGpu()).isGreaterThan(5 * resident.throughputPerGpu());
    }

    /** With three drafts 3.61 tokens come in a step that takes 25 % longer. */
    @Test
    void draftsGiveSeveralTokensAStep() {
        Serving mtp = new Serving(Layout.OURS, KvPolicy.HYBRID, true);
        ReplayResult result = Replay.play(mtp, List.of(conversation(turn(0, 80_000, 1000))), 1);
        double step = mtp.stepTime().seconds(StepWork.decode(1, 80_000));
        assertThat(result.turns().getFirst().timePerToken()).isCloseTo(step / H200Node.ACCEPTED, withinPercentage(1));
    }

    /** A thousand requests of 80K tokens. */
    @Test
    void playsManyConversations() {
        ReplayResult result = Replay.play(HYBRID, OpenHands.conversations(80), 32);
        assertThat(result.turns()).hasSize(1040);
        assertThat(result.throughputPerGpu()).isGreaterThan(5000);
    }
}
