package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
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
        return turn(7, start, prompt, output);
    }

    private static Turn turn(int content, double start, int prompt, int output) {
        return new Turn(start, prompt, output, position -> Conversation.token(content, position));
    }

    /** The second turn of somebody whose 1,250 pages have left the device, pushed out by six others. */
    private static ReplayResult returning(KvPolicy policy, int output) {
        List<Conversation> all = new ArrayList<>();
        all.add(conversation(turn(0, 0, 80_000, 1), turn(0, 1000, 80_010, output)));
        for (int other = 1; other < 7; other++) {
            all.add(conversation(turn(other, 0, 64, 1), turn(other, 100 * other, 80_000, 1)));
        }
        return Replay.play(new Serving(Layout.OURS, policy, false), all, all.size());
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

    /** 1,250 pages of rows and keys at 50 GB/s; then 10 tokens are new. */
    @Test
    void offloadBringsAllPagesBack() {
        TurnTimes last = returning(KvPolicy.OFFLOAD, 1).turns().getLast();
        assertThat(last.cached()).isEqualTo(80_000);
        StepTime steps = new Serving(Layout.OURS, KvPolicy.OFFLOAD, false).stepTime();
        double pages = 1250L * 3_452_160 / 50e9;
        assertThat(last.timeToFirstToken())
                .isCloseTo(
                        H200Node.FRONT_END + pages + steps.seconds(StepWork.prefill(80_000, 10)), withinPercentage(1));
    }

    /** The hybrid brings keys only. Its region starts empty: all missed, then by how much is there. */
    @Test
    void hotRegionsFill() {
        int tokens = 10;
        ReplayResult result = returning(KvPolicy.HYBRID, tokens);
        TurnTimes last = result.turns().getLast();
        assertThat(last.cached()).isEqualTo(80_000);
        assertThat(last.timeToFirstToken()).isLessThan(1);
        double resident = HYBRID.stepTime().seconds(StepWork.decode(1, 80_020));
        assertThat(last.timePerToken()).isGreaterThan(resident + H200Node.ANCHORS * H200Node.RESOLVE);
        double asked = 2048 - 68;
        double filled = 0;
        double misses = 0;
        for (int token = 0; token < 10 + tokens - 1; token++) {
            double missed = asked * MissCurve.rate(filled);
            misses += missed;
            filled = Math.min(4096, filled + missed);
        }
        assertThat(result.hotHitRate()).isCloseTo(1 - misses / (asked * (10 + tokens - 1)), within(0.005));
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
