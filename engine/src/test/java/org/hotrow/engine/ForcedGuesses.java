package org.hotrow.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hotrow.allocator.KvRequest;

/**
 * A device whose drafter guesses and isn't asked: a test knows the texts that come out, and says at which places of a
 * round the guesses are right. So each of them is rejected, or accepted, where the test wants it.
 */
final class ForcedGuesses implements StepDevice {
    /** Which guesses there are. */
    @FunctionalInterface
    interface Rule {
        /** Whether the guess at a place of the next round is the token that will come. */
        boolean right(KvRequest request, int place);

        /** How many of the guesses that the drafter has made there are at all. */
        default int count(KvRequest request, int made) {
            return made;
        }
    }

    private final ModelDevice device;
    private final Rule rule;
    private final int vocab;
    /** By their first tokens: whole texts. */
    private final Map<Integer, int[]> texts = new HashMap<>();

    /** By request: what the drafter itself guessed first in each round, by the position of the token. */
    final Map<Integer, Map<Integer, Integer>> made = new HashMap<>();

    /** By row of the batch that runs: its position. */
    final List<Integer> positions = new ArrayList<>();

    /** Batches in which some requests have guesses and some have none. */
    int mixed;

    ForcedGuesses(ModelDevice device, int vocab, Rule rule) {
        this.device = device;
        this.rule = rule;
        this.vocab = vocab;
    }

    /** A text that begins with another token than all others, or goes on from one that was said before. */
    void say(int[] text) {
        texts.put(text[0], text);
    }

    @Override
    public void run(Batch batch) {
        positions.clear();
        int guessed = 0;
        for (int i = 0; i < batch.size(); i++) {
            for (int row = 0; row < batch.count(i) + batch.guesses(i); row++) {
                positions.add(batch.from(i) + row);
            }
            guessed += batch.guesses(i) > 0 ? 1 : 0;
        }
        mixed += guessed > 0 && guessed < batch.size() ? 1 : 0;
        device.run(batch);
    }

    @Override
    public void complete(Batch batch) {
        device.complete(batch);
        for (int i = 0; i < batch.size(); i++) {
            replace(batch.part(i).request(), batch.drafts(i));
        }
    }

    private void replace(KvRequest request, Drafts drafts) {
        int count = drafts.count();
        if (count == 0) {
            return;
        }
        made.computeIfAbsent(request.token(0), first -> new HashMap<>()).put(request.known(), drafts.token(0));
        drafts.clear();
        int[] text = Objects.requireNonNull(texts.get(request.token(0)));
        for (int place = 0; place < rule.count(request, count); place++) {
            int token = text[request.known() + place];
            drafts.add(rule.right(request, place) ? token : (token + 1) % vocab);
        }
    }

    @Override
    public int dropped(int entry) {
        return device.dropped(entry);
    }

    @Override
    public float[] logits() {
        return device.logits();
    }

    @Override
    public int logitsAt(int i) {
        return device.logitsAt(i);
    }
}
