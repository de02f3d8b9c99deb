package dev.toolfleet.gateway.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.worker.egress.AddressLookup;
import dev.toolfleet.worker.egress.AddressLookup.Answer;

/// Addresses of receivers, looked up once for each request and checked by the rules of `http-fetch`. The request connects
/// to what was checked, so a name that changes its mind changes nothing.
///
/// **Why.** A look-up cannot be interrupted and holds the carrier of a virtual thread, so it has platform threads.
final class ReceiverAddresses implements AutoCloseable {
    private static final int THREADS = 64;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final WebhookConfig config;
    private final AddressLookup lookup;
    private final ThreadPoolExecutor threads;

    ReceiverAddresses(WebhookConfig config, AddressLookup lookup) {
        this.config = config;
        this.lookup = lookup;
        threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE.toSeconds(), TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name("webhook-lookup").factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /// Returns the addresses, at least one.
    ///
    /// @throws IOException with a clause, when there is none that may be reached, or no answer within the time
    List<InetAddress> of(WebhookUrl url, Duration within) throws IOException {
        Future<Answer> answer = threads.submit(() -> lookup.of(url.host(), config.addresses(url)));
        try {
            return switch (answer.get(within.toMillis(), TimeUnit.MILLISECONDS)) {
                case Answer.Reachable(List<InetAddress> addresses) -> addresses;
                case Answer.Forbidden(String reason) -> throw new IOException("the address is " + reason);
                case Answer.NoPublicHost() -> throw new IOException("the host has no address, or one that may not be"
                        + " reached");
            };
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("the name service did not answer in time", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
