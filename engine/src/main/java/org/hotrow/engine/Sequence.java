package org.hotrow.engine;

import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.Step;
import org.jspecify.annotations.Nullable;

/**
 * One request in a {@link Scheduler}: its tokens, where it stands, and when it got there. Its state belongs to the
 * scheduler's thread; others may read it once they have heard that it ended.
 *
 * <pre>
 * submitted -> waiting -> running -> ended
 *                 ^---------'  preempted: no rows any more, all tokens
 * </pre>
 */
public final class Sequence {
    /** A moment that has not come. */
    public static final long NEVER = -1;

    private final int[] prompt;
    private final int maxTokens;
    private final IntPredicate stop;
    private final Draw draw;
    private final TokenListener listener;
    private final Optional<Import> imported;
    private @Nullable KvRequest request;

    /** Order of submission. */
    long number;
    /** Its last part of a step. */
    Step.@Nullable Part part;

    /** Guesses of its next tokens. */
    Drafts drafts = new Drafts(0);
    /** How many of them the present batch verifies. */
    int verified;

    /** Why it ends after the present batch. */
    @Nullable
    FinishReason ending;

    private int cached = -1;
    private int prefilled;
    private int preemptions;
    private @Nullable FinishReason finishReason;
    private @Nullable RuntimeException failure;
    long submitted = NEVER;
    private long admitted = NEVER;
    private long prefillEnd = NEVER;
    private long firstToken = NEVER;
    private long lastToken = NEVER;
    private long endedAt = NEVER;

    /**
     * A request that is submitted later.
     *
     * @param prompt 1 token or more
     * @param maxTokens most tokens, those of the prompt included
     * @param stop whether a generated token ends the text
     * @param draw the next token from logits
     * @param listener hears each token; what it throws ends the sequence
     */
    public Sequence(int[] prompt, int maxTokens, IntPredicate stop, Draw draw, TokenListener listener) {
        this(prompt, maxTokens, stop, draw, listener, Optional.empty());
    }

    /** The same, with rows of its first tokens from elsewhere, for instance from a {@link PrefillFile}. */
    public Sequence(
            int[] prompt,
            int maxTokens,
            IntPredicate stop,
            Draw draw,
            TokenListener listener,
            Optional<Import> imported) {
        if (prompt.length < 1 || prompt.length > maxTokens) {
            throw new IllegalArgumentException("prompt of " + prompt.length + " tokens: expected 1 to " + maxTokens
                    + " (the most of the request)");
        }
        this.prompt = prompt.clone();
        this.maxTokens = maxTokens;
        this.stop = stop;
        this.draw = draw;
        this.listener = listener;
        this.imported = imported;
    }

    /** Its tokens in the allocator, once it is open there. */
    Optional<KvRequest> opened() {
        return Optional.ofNullable(request);
    }

    KvRequest request() {
        if (request == null) {
            throw new IllegalStateException("the sequence is not submitted");
        }
        return request;
    }

    void open(KvRequest opened) {
        request = opened;
    }

    /** Known tokens without rows. */
    int pending() {
        return request().known() - request().length();
    }

    Optional<Import> imported() {
        return imported;
    }

    int maxTokens() {
        return maxTokens;
    }

    /** It has a seat; {@code first} tokens have rows. */
    void admit(int first, long now) {
        if (cached < 0) {
            cached = first;
            admitted = now;
        }
    }

    void preempt() {
        drafts.clear();
        verified = 0;
        preemptions++;
    }

    /** The token that was drawn last. */
    int last() {
        return request().token(request().known() - 1);
    }

    /** Guesses that are worth having for the next batch: no more than tokens may still come, and than have pages. */
    int wantsDrafts() {
        if (ending != null) {
            return 0;
        }
        int tokens = maxTokens - request().known() - 1;
        int rows = Objects.requireNonNull(part).residency().pages() * Block.TOKENS
                - request().known()
                + 2;
        return Math.max(0, Math.min(drafts.most(), Math.min(tokens, rows)));
    }

    /** Rows from {@code from} on are computed. */
    void computed(int from, int count) {
        prefilled += Math.max(0, Math.min(from + count, prompt.length) - from);
    }

    /** Draws a token from the logits of its last row, and notes whether the text ends now. The result is thrown later. */
    @Nullable
    Error next(float[] logits, int at, long now) {
        try {
            if (generated() == 0) {
                prefillEnd = now;
                listener.prefilled();
            }
            boolean stopped = request().known() < maxTokens && stops(draw.next(logits, at), now);
            boolean full = request().known() == maxTokens;
            ending = stopped ? FinishReason.STOP : full ? FinishReason.LENGTH : null;
            return null;
        } catch (RuntimeException e) {
            failure = e;
            ending = FinishReason.ERROR;
            return null;
        } catch (Error e) {
            failure = new IllegalStateException(e);
            ending = FinishReason.ERROR;
            return e;
        }
    }

    private boolean stops(int id, long now) {
        request().append(id);
        lastToken = now;
        if (generated() == 1) {
            firstToken = lastToken;
        }
        boolean goOn = listener.accept(id);
        return !goOn || stop.test(id);
    }

    void end(FinishReason reason, long now) {
        finishReason = reason;
        endedAt = now;
        listener.ended();
    }

    void fail(RuntimeException e, long now) {
        failure = e;
        end(FinishReason.ERROR, now);
    }

    /** Its prompt. */
    public int[] prompt() {
        return prompt.clone();
    }

    /** Tokens generated so far. */
    public int generated() {
        return request == null ? 0 : request.known() - prompt.length;
    }

    /** The generated tokens; the one that ended the text, if any, is the last. */
    public int[] output() {
        int[] output = new int[generated()];
        for (int i = 0; i < output.length; i++) {
            output[i] = request().token(prompt.length + i);
        }
        return output;
    }

    /** Prompt tokens that had rows when it was first admitted, in the cache or elsewhere. */
    public int cached() {
        return Math.max(0, cached);
    }

    /** Prompt tokens whose rows were computed; again, if it made room in between. */
    public int prefilled() {
        return prefilled;
    }

    /** How often it made room. */
    public int preemptions() {
        return preemptions;
    }

    /** Whether it ended. */
    public boolean ended() {
        return finishReason != null;
    }

    /** Why it ended. */
    public FinishReason finishReason() {
        if (finishReason == null) {
            throw new IllegalStateException("the sequence has not ended");
        }
        return finishReason;
    }

    /** What failed, if it ended by {@link FinishReason#ERROR}. */
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    /** When it was submitted. */
    public long submitted() {
        return submitted;
    }

    /** When it first got a seat. */
    public long admitted() {
        return admitted;
    }

    /** When its prompt had all its rows: with the batch of its first token. */
    public long prefillEnd() {
        return prefillEnd;
    }

    /** When its first token came. */
    public long firstToken() {
        return firstToken;
    }

    /** When its last token so far came. */
    public long lastToken() {
        return lastToken;
    }

    /** When it ended. */
    public long endedAt() {
        return endedAt;
    }
}
