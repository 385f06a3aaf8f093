package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hotrow.engine.Crowd.Member;

/** A server of the tests' model with guesses by a rule, of requests whose texts are known. */
final class GuessedServer implements AutoCloseable {
    private final Workers workers = new Workers(2);
    final ForcedGuesses guesses;
    final Crowd crowd;

    GuessedServer(
            ModelAndText model,
            CacheFormat format,
            CacheConfig cache,
            int batched,
            ForcedGuesses.Rule rule,
            WalkProbe probe) {
        ModelDevice device = model.device(format, cache, workers, batched, false, probe);
        int vocab = model.config().vocabSize();
        guesses = new ForcedGuesses(device, vocab, rule);
        crowd = new Crowd(device, guesses, cache.seats(), vocab);
    }

    Member submit(Member alone) {
        guesses.say(text(alone));
        return crowd.submit(alone.sequence().prompt(), alone.sequence().generated());
    }

    /** All requests at once. */
    void serve(List<Member> alone) {
        alone.forEach(this::submit);
        List<Member> members = crowd.finish();
        for (int i = 0; i < alone.size(); i++) {
            members.get(i).assertEqualTo(alone.get(i));
        }
    }

    SpeculationCounters counters() {
        return crowd.device().counters(crowd.scheduler().speculation());
    }

    @Override
    public void close() {
        crowd.close();
        workers.close();
    }

    /** Prompt and output. */
    static int[] text(Member member) {
        int[] prompt = member.sequence().prompt();
        int[] text = Arrays.copyOf(prompt, prompt.length + member.sequence().generated());
        System.arraycopy(member.sequence().output(), 0, text, prompt.length, text.length - prompt.length);
        return text;
    }

    /** What requests of up to so many tokens say alone, resident and without guesses. */
    static List<Member> alone(ModelAndText model, CacheFormat format, int longest, List<int[]> prompts, int newTokens) {
        List<Member> members = new ArrayList<>();
        try (Crowd crowd = new Crowd(model, format, CacheConfig.resident(model.config(), format, longest), 512)) {
            for (int[] prompt : prompts) {
                members.add(crowd.submit(prompt, newTokens));
                crowd.finish();
            }
        }
        return members;
    }
}
