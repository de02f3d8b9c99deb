package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keys of one issuer, kept in memory.
///
/// **Contract.** A known key is returned without a wait. An unknown one starts a fetch, at most one in [#BETWEEN], and
/// counts as absent only after a fetch that this lookup started; else the answer is "not now". Keys of an issuer that
/// cannot be reached are kept for [#KEEP].
///
/// **Threads.** Any. One fetch runs at a time, on a virtual thread of its own; `this` guards which one.
///
/// **Why.** Otherwise: anyone makes the gateway flood the issuer with made-up key ids. And otherwise: a fetch that began
/// before the issuer rotated returns without the new key, and its valid token is refused as a wrong one.
final class IssuerKeys {
    /// The least time between the beginnings of two fetches.
    static final Duration BETWEEN = Duration.ofSeconds(10);
    /// The age at which known keys are fetched again, beside the requests that use them.
    static final Duration REFRESH = Duration.ofMinutes(5);
    /// The age at which a lookup waits for that fetch. Otherwise: a gateway that was idle accepts a token of a key that its
    /// issuer withdrew hours ago.
    static final Duration STALE = REFRESH.multipliedBy(2);
    /// The age at which keys are no longer used: the issuer may have withdrawn one of them.
    static final Duration KEEP = Duration.ofHours(24);
    private static final Duration PATIENCE = HttpKeyFetch.WITHIN.plusSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private final URI uri;
    private final KeyFetch fetch;
    private final LongSupplier nanos;
    private volatile Generation current = Generation.NONE;
    private @Nullable CompletableFuture<Boolean> running;
    private long begun;
    private boolean tried;
    private boolean failed;
    private long endedAt;

    /// Keys and the time of their fetch.
    ///
    /// @param number of the fetch; 0 for none
    private record Generation(KeySet keys, long at, int number) {
        static final Generation NONE = new Generation(KeySet.NONE, 0, 0);

        boolean isYounger(Duration age, long now) {
            return number > 0 && now - at < age.toNanos();
        }

        Generation next(KeySet fetched, long now) {
            return new Generation(fetched, now, number + 1);
        }
    }

    /// Result of a lookup.
    sealed interface Lookup {
        /// The key.
        record Found(JWK key) implements Lookup {}

        /// The issuer has no such key.
        record Absent() implements Lookup {}

        /// Not known now.
        record Later(String reason, Duration after) implements Lookup {}
    }

    /// A fetch that a lookup waits for; `own` if the lookup began it.
    private record Attempt(CompletableFuture<Boolean> done, boolean own) {}

    IssuerKeys(URI uri, KeyFetch fetch, LongSupplier nanos) {
        this.uri = uri;
        this.fetch = fetch;
        this.nanos = nanos;
    }

    /// Returns the key for a header.
    Lookup find(JWSHeader header) {
        long now = nanos.getAsLong();
        Generation known = current;
        Optional<JWK> key = known.keys().find(header);
        if (key.isPresent() && known.isYounger(KEEP, now)) {
            Optional<Attempt> again = known.isYounger(REFRESH, now) ? Optional.empty() : attempt(now);
            if (known.isYounger(STALE, now) || failedLately(now))
                return new Lookup.Found(key.get());
            // None may begin now, so one ended a moment ago: it brought these keys, or it failed.
            return again.isPresent() ? awaited(again.get(), header) : find(header);
        }
        Optional<Attempt> attempt = attempt(now);
        // A fetch that ended since the first look may have brought the key.
        if (attempt.isEmpty() && current.number() != known.number())
            return find(header);
        if (attempt.isEmpty())
            return new Lookup.Later("its key is unknown, and the issuer's keys were asked for less than "
                    + BETWEEN.toSeconds() + " s ago", left(now));
        return awaited(attempt.get(), header);
    }

    private Lookup awaited(Attempt attempt, JWSHeader header) {
        boolean fetched = false;
        try {
            fetched = attempt.done().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // As a fetch that failed.
        }
        Generation known = current;
        Optional<JWK> key = known.keys().find(header);
        if (key.isPresent() && known.isYounger(KEEP, nanos.getAsLong()))
            return new Lookup.Found(key.get());
        if (fetched && attempt.own())
            return new Lookup.Absent();
        return new Lookup.Later(fetched
                ? "its key is unknown so far"
                : "its key is unknown, and the issuer's keys cannot be fetched", left(nanos.getAsLong()));
    }

    /// Returns the fetch that runs, or begins one; empty while none may begin.
    private synchronized Optional<Attempt> attempt(long now) {
        if (running != null)
            return Optional.of(new Attempt(running, false));
        if (tried && now - begun < BETWEEN.toNanos())
            return Optional.empty();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        running = done;
        begun = now;
        tried = true;
        Thread.ofVirtual().name("gateway-keys").start(() -> run(done));
        return Optional.of(new Attempt(done, true));
    }

    /// True while the issuer cannot be reached: a lookup that waits would wait in vain, over and over.
    private synchronized boolean failedLately(long now) {
        return failed && now - endedAt < STALE.toNanos();
    }

    private void run(CompletableFuture<Boolean> done) {
        boolean fetched = false;
        try {
            KeySet keys = KeySet.read(fetch.fetch(uri));
            current = current.next(keys, nanos.getAsLong());
            fetched = true;
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("url", uri).addKeyValue("reason", e.getMessage())
                    .log("keys of an issuer not fetched: those known before are kept");
        } finally {
            synchronized (this) {
                running = null;
                failed = !fetched;
                endedAt = nanos.getAsLong();
            }
            done.complete(fetched);
        }
    }

    private synchronized Duration left(long now) {
        return Duration.ofNanos(Math.max(0, BETWEEN.toNanos() - (now - begun)));
    }
}
