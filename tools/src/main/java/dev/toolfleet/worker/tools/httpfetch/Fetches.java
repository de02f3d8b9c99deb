package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.httpfetch.Connector.Limits;
import dev.toolfleet.worker.tools.httpfetch.Connector.Step;

/// Follows a request to its answer, over redirects: each is checked like the first request.
///
/// @param destinations to which addresses a request may connect
record Fetches(Destinations destinations, Connector connector) {
    private static final int MAX_REDIRECTS = 5;
    /// Time for a thread whose socket was closed to end; a thread that looks up a name may need longer.
    private static final Duration GRACE = Duration.ofMillis(500);

    /// An answer, and how many redirects led to it.
    record Fetched(FetchAnswer answer, int redirects) {}

    /// Fetches on a virtual thread of its own: neither a slow server nor a slow name server holds the caller longer.
    ///
    /// @param time for all of it: looking up, connecting, sending, redirects, the last byte of the body
    /// @throws ToolException for a failure, `E_HTTP_TIMEOUT` if the time was over
    /// @throws InterruptedException if the caller was interrupted; the connection is closed then
    Fetched fetch(Request request, Duration time, Limits limits) throws InterruptedException {
        FetchSocket socket = new FetchSocket();
        Callable<Fetched> work = () -> follow(request, time, limits, socket);
        FutureTask<Fetched> task = new FutureTask<>(work);
        Thread thread = Thread.ofVirtual().name("http-fetch").start(task);
        try {
            return task.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw HttpErrors.timeout(request.target().url(), time);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolException failure)
                throw failure;
            throw new IllegalStateException("A fetch failed in an unknown way", e.getCause());
        } finally {
            if (task.cancel(true)) {
                socket.cut();
                thread.join(GRACE);
            }
        }
    }

    private Fetched follow(Request first, Duration time, Limits limits, FetchSocket socket) {
        Request request = first;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            List<InetAddress> addresses = destinations.of(request.target());
            switch (step(request, addresses, time, limits, socket)) {
                case Step.Answered(FetchAnswer answer) -> {
                    return new Fetched(answer, redirects);
                }
                case Step.Redirected(Request next) -> request = next;
            }
        }
        throw HttpErrors.redirects(request.target().url(), MAX_REDIRECTS);
    }

    private Step step(Request request, List<InetAddress> addresses, Duration time, Limits limits,
            FetchSocket socket) {
        try {
            return connector.send(request, addresses, time, limits, socket);
        } catch (SocketTimeoutException e) {
            // The socket has the same time limit as this waiting thread, and may reach it first.
            throw HttpErrors.timeout(request.target().url(), time);
        } catch (IOException e) {
            throw HttpErrors.of(request.target(), e);
        }
    }
}
