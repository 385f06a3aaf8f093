package org.hotrow.allocator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import org.hotrow.allocator.Refusal.Reason;
import org.hotrow.allocator.StepPlan.Copies;
import org.hotrow.allocator.StepPlan.Join;
import org.hotrow.allocator.StepPlan.Part;

/**
 * Plans one step without changing anything.
 *
 * <p>At first new requests keep a prefix on the device that is still there, and copy index keys from blocks that nobody
 * else holds. If the blocks don't suffice, they take such keys from the host; and if the policy lets requests lose
 * pages, such a prefix is left readable only, and full requests, those with the most pages on the host first, take hot
 * regions and let go of their pages, until the blocks suffice. A request with no more such pages than a hot region takes
 * is left alone. Imports go to the device at first, then to the host.
 */
final class Planner {
    private final KvState state;
    private final AllocatorConfig config;
    private final long version;
    private final Map<KvRequest, Claim> claims = new HashMap<>();
    private Reservation reservation;

    Planner(KvState state, AllocatorConfig config, long version) {
        this.state = state;
        this.config = config;
        this.version = version;
        reservation = state.reservation();
    }

    PlanResult plan(List<Ask> asks) {
        validate(asks);
        reclaim(asks);
        Optional<Refusal> refusal = admit(asks);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Attempt attempt = new Attempt(asks, true);
        if (!attempt.fits()) {
            attempt = new Attempt(asks, false);
            if (config.policy().losesPages()) {
                attempt.spill();
            }
        }
        return attempt.result();
    }

    private static void validate(List<Ask> asks) {
        Set<KvRequest> requests = new HashSet<>();
        for (Ask ask : asks) {
            KvRequest request = ask.request();
            if (request.closed || !requests.add(request)) {
                throw new IllegalArgumentException("a request is closed, or asked for twice in one step");
            }
            if (request.known() <= request.length()) {
                throw new IllegalArgumentException("all " + request.known() + " tokens of a request have rows; append"
                        + " the next token before asking for it");
            }
            if (request.known() + ask.drafts() > request.maxLength()) {
                throw new IllegalArgumentException(request.known() + " tokens and " + ask.drafts()
                        + " drafts of a request that was opened for at most " + request.maxLength());
            }
        }
    }

    /** Requests that have seats count with the tokens that they have now, guessed ones too. */
    private void reclaim(List<Ask> asks) {
        for (Ask ask : asks) {
            Residency seated = ask.request().residency;
            if (seated != null) {
                reservation = reservation.minus(seated.claim);
                claim(ask, seated.copied());
            }
        }
    }

    private void claim(Ask ask, int copied) {
        KvRequest request = ask.request();
        int tokens = config.policy().reservesAll() ? request.maxLength() : request.known() + ask.drafts();
        Claim claim = reservation.claim(config, tokens, copied);
        claims.put(request, claim);
        reservation = reservation.plus(claim);
    }

    /** Whether the new requests get seats and fit in the long run beside those that have theirs. */
    private Optional<Refusal> admit(List<Ask> asks) {
        int seats = config.seats() - state.seated.size();
        for (Ask ask : asks) {
            KvRequest request = ask.request();
            if (request.residency != null) {
                continue;
            }
            if (--seats < 0) {
                return Optional.of(new Refusal(Reason.SEATS, request, 1, state.copiesInFlight()));
            }
            claim(ask, 0);
            if (!reservation.fits(config.geometry())) {
                int missing =
                        Math.toIntExact(reservation.pool() - config.geometry().blocks());
                return Optional.of(new Refusal(Reason.ADMISSION, request, missing, state.copiesInFlight()));
            }
        }
        return Optional.empty();
    }

    /** One try to fit the batch. */
    private final class Attempt {
        private final RefForecast blocks = new RefForecast(state.pool.queue());
        private final RefForecast hostPages = new RefForecast(state.host);
        /** By request, in the order that they were asked for. */
        private final Map<KvRequest, Part> parts = new LinkedHashMap<>();

        private final SequencedSet<Residency> spilling = new LinkedHashSet<>();
        private final List<Ask> asks;
        /** Host pages that requests which count on the host have not taken yet. */
        private long owedHostPages = reservation.owedHostPages();

        Attempt(List<Ask> asks, boolean generous) {
            this.asks = asks;
            for (Ask ask : asks) {
                Part part = part(ask, generous);
                parts.put(ask.request(), part);
                part.join().ifPresent(join -> count(join, part.claim()));
                blocks.take(part.newPages() + part.newIndexBlocks() + (part.takesHot() ? config.hotBlocks() : 0));
            }
        }

        private Part part(Ask ask, boolean generous) {
            KvRequest request = ask.request();
            Residency seated = request.residency;
            Claim claim = Objects.requireNonNull(claims.get(request));
            Optional<Join> join =
                    seated == null ? Optional.of(Join.of(request, claim, state, config, generous)) : Optional.empty();
            Optional<Landing> landing = join.map(Join::landing);
            int first = landing.map(Landing::tokens).orElseGet(request::length);
            int tokens = Math.min(ask.tokens(), request.known() - first);
            int drafts = first + tokens == request.known() ? ask.drafts() : 0;
            int end = first + tokens + drafts;
            int pages = seated == null ? landing.orElseThrow().pages() : seated.pages();
            int indexBlocks = seated == null ? join.orElseThrow().indexBlocks() : seated.indexBlocks();
            return new Part(
                    request,
                    join,
                    first,
                    tokens,
                    drafts,
                    Math.max(0, Block.pages(end) - pages),
                    Math.max(0, config.geometry().indexBlocks(end) - indexBlocks),
                    join.map(found -> found.firstResident() > 0).orElse(false),
                    claim.copied(landing.map(Landing::copied).orElse(0)),
                    0);
        }

        private void count(Join join, Claim claim) {
            owedHostPages -= claim.onHost() ? join.landing().copied() : 0;
            join.hostPages().forEach(hostPages::hold);
            hostPages.take(join.landing().newHostPages());
            blocks.take(join.landing().newBlocks());
            for (int page = join.firstResident(); page < join.pages(); page++) {
                holdOrTake(join.rowBlocks().get(page));
            }
            join.sharedIndex().forEach(this::holdOrTake);
            join.keyBlocks().select(block -> block != 0).forEach(blocks::hold);
        }

        private void holdOrTake(int block) {
            if (block == 0) {
                blocks.take(1);
            } else {
                blocks.hold(block);
            }
        }

        /** An import may find the host pages that are its due still taken by copies of requests that are over. */
        boolean fits() {
            return blocks.free() >= 0 && hostPages.free() >= 0;
        }

        /** Has full requests let go of pages until the blocks suffice. */
        void spill() {
            for (Residency residency : state.spillable) {
                if (blocks.free() >= 0) {
                    return;
                }
                spilling.add(residency);
                for (int page = 0; page < residency.offered; page++) {
                    blocks.drop(residency.blocks.get(page));
                }
                blocks.take(config.hotBlocks());
            }
        }

        PlanResult result() {
            if (!fits()) {
                int missing = -(blocks.free() < 0 ? blocks.free() : hostPages.free());
                return new Refusal(Reason.BLOCKS, asks.getLast().request(), missing, state.copiesInFlight());
            }
            return new StepPlan(
                    version, parts.values().stream().map(this::staged).toList(), spilling, copies());
        }

        /** Gives a prefill step over lost pages its staging blocks if there are so many. */
        private Part staged(Part part) {
            Residency seated = part.request().residency;
            boolean mixed = seated != null && (!seated.hotBlocks.isEmpty() || spilling.contains(seated));
            boolean hot = part.takesHot() || mixed;
            if (!hot || part.tokens() == 1 || config.stagingBlocks() > blocks.free()) {
                return part;
            }
            blocks.take(config.stagingBlocks());
            return part.withStaging(config.stagingBlocks());
        }

        /**
         * Sealed pages that nobody copies. Requests that don't count on the host copy only to pages that nobody who does
         * still needs.
         */
        private List<Copies> copies() {
            List<Copies> copies = new ArrayList<>();
            if (config.policy().usesHost()) {
                int budget = Math.min(config.copiesPerStep(), hostPages.free());
                // Whoever counts on the host takes what it is owed, so that doesn't change how much is spare.
                long spare = hostPages.free() - owedHostPages;
                int left = copies(true, budget, copies);
                copies(false, Math.clamp(spare, 0, left), copies);
            }
            return copies;
        }

        /**
         * Adds copies of the requests that count on the host or of those that don't: at first of those that are behind and
         * not in this step.
         *
         * @return what is left of {@code budget}
         */
        private int copies(boolean onHost, int budget, List<Copies> copies) {
            int left = budget;
            for (Residency behind : state.writeAhead.behind(onHost)) {
                if (left == 0) {
                    return 0;
                }
                if (!parts.containsKey(behind.request)) {
                    left -= add(Copies.of(behind, behind.length / Block.TOKENS, left), copies);
                }
            }
            for (Part part : parts.values()) {
                if (part.claim().onHost() == onHost) {
                    left -= add(copies(part, left), copies);
                }
            }
            return left;
        }

        private static Copies copies(Part part, int budget) {
            Residency seated = part.request().residency;
            return seated == null
                    ? Copies.of(
                            part.request(), part.join().orElseThrow().landing().copied(), part.sealedPages(), budget)
                    : Copies.of(seated, part.sealedPages(), budget);
        }

        private static int add(Copies more, List<Copies> copies) {
            if (!more.pages().isEmpty()) {
                copies.add(more);
            }
            return more.pages().size();
        }
    }
}
