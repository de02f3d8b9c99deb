package dev.toolfleet.worker.tools.messaging;

import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;

import dev.toolfleet.tool.ToolException;

/// Exchanges of one call: bounded in time, and repeated only if the service answers that it did nothing and when to
/// come back.
///
/// @param patience with one exchange
/// @param deadline of the call
record Exchanges(Provider provider, Token token, InstantSource clock, Sleeper sleeper, Duration patience,
        Instant deadline) {
    private static final int MAX_TRIES = 4;
    /// Time for an interrupted thread to release its connection; a thread that looks up a name may need longer.
    private static final Duration GRACE = Duration.ofMillis(500);
    /// Kept free before the deadline, so that the answer still reaches the caller.
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /// Waits; tests put another clock in its place.
    interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    /// Runs an exchange, again after each wait that the service requests, if there is time for it.
    ///
    /// @param what for messages, such as the API's method
    /// @throws ToolException for any failure; none has a cause, because libraries put URLs into messages, and a URL may
    /// hold the token
    <T> T run(String what, RepeatEffect effect, Exchange.Work<T> work) throws InterruptedException {
        for (int tries = 1;; tries++) {
            try {
                return once(what, effect, work);
            } catch (RateLimited e) {
                Duration wait = e.retryAfter();
                if (tries == MAX_TRIES || wait.compareTo(left()) >= 0)
                    throw provider.rateLimited(what, wait);
                sleeper.sleep(wait);
            }
        }
    }

    /// On a virtual thread of its own: neither a slow server nor a slow name server holds the caller longer.
    private <T> T once(String what, RepeatEffect effect, Exchange.Work<T> work)
            throws InterruptedException, RateLimited {
        Duration time = patience.compareTo(left()) < 0 ? patience : left();
        Exchange exchange = new Exchange();
        Callable<T> running = () -> work.run(exchange);
        FutureTask<T> task = new FutureTask<>(running);
        Thread thread = Thread.ofVirtual().name(provider.tool() + "-exchange").start(task);
        try {
            return task.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw failed("TIMEOUT", what, effect, exchange,
                    provider.name() + " API request timed out after " + time.toMillis() + "ms");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case ToolException failure -> throw failure;
                case RateLimited limited -> throw limited;
                case IOException broken -> throw failed("FAILED", what, effect, exchange, cause(broken));
                case null -> throw new IllegalStateException("An exchange failed without a cause");
                // Not as the cause: its message may hold the token.
                case Throwable bug -> throw new IllegalStateException("An exchange with " + provider.name()
                        + " failed in an unknown way: " + bug.getClass().getName());
            }
        } finally {
            if (task.cancel(true))
                thread.join(GRACE);
        }
    }

    private ToolException failed(String kind, String what, RepeatEffect effect, Exchange exchange, String why) {
        return effect == RepeatEffect.ONCE && exchange.sent()
                ? provider.unknown(what, why)
                : provider.unanswered(kind, what, why);
    }

    private Duration left() {
        Duration untilDeadline = Duration.between(clock.instant(), deadline);
        Duration quarter = untilDeadline.dividedBy(4);
        Duration left = untilDeadline.minus(quarter.compareTo(MARGIN) < 0 ? quarter : MARGIN);
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    private String cause(IOException e) {
        return switch (e) {
            case UnknownHostException _ -> "there is no such host";
            case SSLException _ -> "the connection is not secure";
            case IOException x when x.getClass().getPackageName().startsWith("java.net") -> "the connection failed";
            default -> "the answer broke off or is not one of " + provider.name() + ": "
                    + token.hide(String.valueOf(e.getMessage()));
        };
    }
}
