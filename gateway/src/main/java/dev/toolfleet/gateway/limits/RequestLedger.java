package dev.toolfleet.gateway.limits;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import org.jspecify.annotations.Nullable;

/// Ledger of the requests and streams that are open at this gateway, by principal.
///
/// **Contract.** A refusal changes no count but that of the rate, and comes before the request has had an effect: 429
/// when the principal is over its own limit, 503 when the gateway is full. A principal without requests for a second is
/// forgotten.
///
/// **Threads.** Any. All counts change under one lock, which is held for no I/O. Otherwise: two requests take the last
/// place, or the end of a request removes the counts of a principal that another request is about to raise.
public final class RequestLedger {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration SOON = Duration.ofSeconds(1);

    private final LimitConfig limits;
    private final Consumer<Limit> refused;
    private final LongSupplier nanos;
    private final Map<String, Account> accounts = new HashMap<>();
    private int requests;
    private int streams;
    private long swept;

    /// Counts of one principal.
    private static final class Account {
        private double tokens;
        private long filledAt;
        private int requests;
        private int streams;

        Account(double tokens, long now) {
            this.tokens = tokens;
            this.filledAt = now;
        }

        void fill(int perSecond, long now) {
            tokens = Math.min(perSecond, tokens + (double) perSecond * (now - filledAt) / SECOND);
            filledAt = now;
        }

        boolean isOver(long now) {
            return requests == 0 && streams == 0 && now - filledAt > SECOND;
        }
    }

    /// Place of one request. It becomes a stream at most once, and ends once; further ends do nothing.
    public final class Place {
        private final @Nullable Account account;
        private boolean stream;
        private boolean ended;

        private Place(@Nullable Account account) {
            this.account = account;
        }

        /// Makes the request a stream: it no longer counts as a request.
        ///
        /// @throws ProblemException when there are too many streams; it stays a request then
        public void becomeStream() {
            synchronized (RequestLedger.this) {
                if (stream || ended)
                    throw new IllegalStateException("the request is a stream, or has ended");
                if (account != null && account.streams >= limits.streams())
                    throw refuse(Limit.STREAMS, "The principal has " + limits.streams() + " open streams",
                            "End one of them, or read with GET");
                if (streams >= limits.allStreams())
                    throw refuse(Limit.ALL_STREAMS, "The gateway holds " + limits.allStreams() + " open streams",
                            "Read with GET, or send the same request again");
                count(-1, 1);
                stream = true;
            }
        }

        /// Frees the place.
        public void end() {
            synchronized (RequestLedger.this) {
                if (ended)
                    return;
                ended = true;
                count(stream ? 0 : -1, stream ? -1 : 0);
            }
        }

        private void count(int moreRequests, int moreStreams) {
            requests += moreRequests;
            streams += moreStreams;
            if (account != null) {
                account.requests += moreRequests;
                account.streams += moreStreams;
            }
        }
    }

    /// @param refused called for each refusal, under the lock
    /// @param nanos a clock as [System#nanoTime]
    public RequestLedger(LimitConfig limits, Consumer<Limit> refused, LongSupplier nanos) {
        this.limits = limits;
        this.refused = refused;
        this.nanos = nanos;
        this.swept = nanos.getAsLong();
    }

    /// Returns a place for a request.
    ///
    /// @param principal its name; empty for callers of this machine, which share no limit but those of the whole gateway
    /// @throws ProblemException when there is none
    public synchronized Place enter(String principal) {
        long now = nanos.getAsLong();
        sweep(now);
        Account account = principal.isEmpty()
                ? null
                : accounts.computeIfAbsent(principal, _ -> new Account(limits.requestsPerSecond(), now));
        if (account != null)
            take(account, now);
        if (requests >= limits.allRequests())
            throw refuse(Limit.ALL_REQUESTS, "The gateway holds " + limits.allRequests() + " requests",
                    "Send the same request again in a second");
        Place place = new Place(account);
        place.count(1, 0);
        return place;
    }

    private void take(Account account, long now) {
        account.fill(limits.requestsPerSecond(), now);
        if (account.tokens < 1)
            throw refuse(Limit.RATE, "The principal has sent more than " + limits.requestsPerSecond()
                    + " requests in a second", "Send the same request again in a second");
        if (account.requests >= limits.requests())
            throw refuse(Limit.REQUESTS, "The principal has " + limits.requests()
                    + " requests that are not answered", "Wait for one of them, or send Prefer: respond-async");
        account.tokens--;
    }

    private ProblemException refuse(Limit limit, String reason, String instead) {
        refused.accept(limit);
        ProblemType type = switch (limit) {
            case RATE, REQUESTS, STREAMS -> ProblemType.TOO_MANY_REQUESTS;
            case ALL_REQUESTS, ALL_STREAMS -> ProblemType.NOT_READY;
        };
        return new ProblemException(Problem.later(type, reason + ". Nothing of this request was sent to the fleet. "
                + instead + ".", SOON));
    }

    private void sweep(long now) {
        if (now - swept > SECOND) {
            accounts.values().removeIf(account -> account.isOver(now));
            swept = now;
        }
    }

    /// Number of open requests that are no streams.
    public synchronized int requests() {
        return requests;
    }

    /// Number of open streams.
    public synchronized int streams() {
        return streams;
    }

    /// Number of principals that are remembered.
    synchronized int principals() {
        return accounts.size();
    }
}
