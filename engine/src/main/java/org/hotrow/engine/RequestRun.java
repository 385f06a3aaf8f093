package org.hotrow.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.template.TemplateException;

/**
 * Runs requests, each when it comes and the line before it in its session has ended.
 *
 * <pre>
 * lines of a session --first--> arrivals --when due--> scheduler --ended--> result
 *                        ^------------------next------------------'
 * </pre>
 *
 * A request arrives when its line says, or when the line before it in its session ends if that is later. One that fails
 * leaves no trace in its session, which goes on with its next line.
 */
final class RequestRun {
    private static final long COPY_NANOS = 100_000;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Lines of one session that have not arrived. */
    private record Turns(Session session, Deque<RequestLine> lines) {}

    private record Arrival(Turns turns, RequestLine line, long nanos) {}

    private record Running(Arrival arrival, Sequence sequence, TokenPrinter printer) {}

    private final Model model;
    private final Generator generator;
    private final Scheduler scheduler;
    private final Optional<PrefillFile> prefill;
    private final SamplingOptions defaults;
    private final Consumer<RunResult> results;
    private final RunSummary summary;
    private final RunBar bar;
    private final long start;
    private final Queue<Arrival> arrivals = new PriorityQueue<>(
            Comparator.comparingLong(Arrival::nanos).thenComparingInt(arrival -> arrival.line.number()));
    private final List<Running> running = new ArrayList<>();

    /**
     * @param prefill has rows for requests that begin with its tokens
     * @param defaults for what lines don't say
     * @param results takes each result when it is there
     * @param start of the run: {@link System#nanoTime}
     */
    RequestRun(
            Model model,
            Generator generator,
            Optional<PrefillFile> prefill,
            SamplingOptions defaults,
            Consumer<RunResult> results,
            RunSummary summary,
            RunBar bar,
            long start) {
        this.model = model;
        this.generator = generator;
        scheduler = generator.scheduler();
        this.prefill = prefill;
        this.defaults = defaults;
        this.results = results;
        this.summary = summary;
        this.bar = bar;
        this.start = start;
    }

    /** Lines by session, those of none each for itself, in the order of their first lines. */
    static List<List<RequestLine>> sessions(List<RequestLine> lines) {
        Map<Object, List<RequestLine>> sessions = new LinkedHashMap<>();
        for (RequestLine line : lines) {
            Object key = line.session().<Object>map(name -> name).orElse(line.number());
            sessions.computeIfAbsent(key, session -> new ArrayList<>()).add(line);
        }
        return List.copyOf(sessions.values());
    }

    /**
     * Runs lines to their end.
     *
     * @param cancelled asked before each step; ends what runs, and nothing else is begun
     */
    void run(List<RequestLine> lines, BooleanSupplier cancelled) {
        for (List<RequestLine> session : sessions(lines)) {
            arrive(new Turns(new Session(model.text(), model.generation().eosIds()), new ArrayDeque<>(session)), start);
        }
        try {
            while (!running.isEmpty() || !arrivals.isEmpty()) {
                if (cancelled.getAsBoolean()) {
                    cancel();
                    return;
                }
                submitDue();
                rest(step());
            }
        } catch (EngineException e) {
            fail(e);
        }
    }

    /** The device failed: what runs ends with its error, and nothing else is begun. */
    private void fail(EngineException e) {
        for (Running each : List.copyOf(running)) {
            end(each.arrival, RunResult.refused(Optional.of(each.arrival.line.id()), String.valueOf(e.getMessage())));
        }
        running.clear();
        endArrivals();
    }

    /** The next line of a session comes, not before {@code earliest}. */
    private void arrive(Turns turns, long earliest) {
        RequestLine line = turns.lines.poll();
        if (line != null) {
            long said = start + (long) (line.arrivalMillis() * NANOS_PER_MILLI);
            arrivals.add(new Arrival(turns, line, Math.max(said, earliest)));
        }
    }

    private void submitDue() {
        for (Arrival next = arrivals.peek(); next != null && next.nanos <= System.nanoTime(); next = arrivals.peek()) {
            arrivals.remove();
            try {
                submit(next);
            } catch (RequestException | TemplateException | ModelFormatException e) {
                end(
                        next,
                        RunResult.refused(
                                Optional.of(next.line.id()),
                                next.line.described(Objects.requireNonNull(e.getMessage()))));
            }
        }
    }

    private void submit(Arrival arrival) {
        RequestLine line = arrival.line;
        Session session = arrival.turns.session;
        int[] prompt = line.prompt().tokens(session);
        TokenPrinter printer = new TokenPrinter(null, model, defaults.stopStrings());
        Sequence sequence = generator.submit(
                prompt,
                prefill.flatMap(file -> file.find(prompt)),
                line.maxNewTokens().orElse(defaults.maxNewTokens()),
                defaults.sampling(model.generation()).with(line.temperature(), line.seed()),
                line.ignoreEos().orElse(defaults.ignoreEos()),
                printer);
        if (session.encodedAnew()) {
            summary.addEncodedAnew();
        }
        running.add(new Running(arrival, sequence, printer));
    }

    private Scheduler.Progress step() {
        long before = System.nanoTime();
        Scheduler.Progress progress = scheduler.step();
        long now = System.nanoTime();
        // Those that end with the step had their seats while it ran.
        summary.running(scheduler.running() + collect(), before);
        summary.running(scheduler.running(), now);
        bar.show(summary.done(), scheduler.running(), summary.completionTokens(), now);
        return progress;
    }

    /** Gives out the results of those that have ended; the result says how many of them had seats. */
    private int collect() {
        int seated = 0;
        for (Iterator<Running> all = running.iterator(); all.hasNext(); ) {
            Running next = all.next();
            Sequence sequence = next.sequence;
            if (sequence.ended()) {
                all.remove();
                seated += sequence.admitted() == Sequence.NEVER ? 0 : 1;
                next.printer.finish();
                RunResult result = RunResult.of(next.arrival.line, sequence, next.arrival.nanos, next.printer.text());
                if (result.error().isEmpty()) {
                    next.arrival.turns.session.answered(result.outputIds(), result.text(), result.finishReason());
                }
                end(next.arrival, result);
            }
        }
        return seated;
    }

    private void end(Arrival arrival, RunResult result) {
        summary.add(result);
        results.accept(result);
        arrive(arrival.turns, System.nanoTime());
    }

    private void rest(Scheduler.Progress progress) {
        switch (progress) {
            case STEPPED -> {}
            case WAITING -> LockSupport.parkNanos(COPY_NANOS);
            case IDLE -> {
                if (!running.isEmpty()) {
                    throw new IllegalStateException(running.size() + " requests wait and none can run");
                }
                Arrival next = arrivals.peek();
                if (next != null) {
                    LockSupport.parkNanos(Math.min(PAUSE_NANOS, next.nanos - System.nanoTime()));
                }
            }
        }
    }

    private void cancel() {
        running.forEach(each -> scheduler.cancel(each.sequence));
        step();
        endArrivals();
    }

    private void endArrivals() {
        for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
            end(next, RunResult.cancelled(next.line.id()));
        }
    }
}
