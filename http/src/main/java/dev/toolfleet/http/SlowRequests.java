package dev.toolfleet.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/// Closes connections whose request line and headers take too long.
///
/// **Why.** Jetty's idle timeout begins anew with each byte. Otherwise: a client that sends a byte now and then keeps a
/// connection, and a file descriptor, without limit.
///
/// **Threads.** Connections report from any thread; one check at a time compares them.
final class SlowRequests implements Connection.Listener, LifeCycle.Listener {
    private final ServerConnector connector;
    private final Duration limit;
    private final Map<Connection, Seen> connections = new ConcurrentHashMap<>();

    /// The counters of a connection when its last request was answered.
    ///
    /// @param messages answered
    /// @param bytes that had come by then
    /// @param nanos the time at which bytes beyond them were first seen; 0 for none
    private record Seen(long messages, long bytes, long nanos) {}

    /// @param connector holds this as a bean; is checked once it runs
    SlowRequests(ServerConnector connector, Duration limit) {
        this.connector = connector;
        this.limit = limit;
    }

    @Override
    public void onOpened(Connection connection) {
        connections.put(connection, new Seen(0, 0, 0));
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    @Override
    public void lifeCycleStarted(LifeCycle started) {
        watch();
    }

    private void watch() {
        long now = System.nanoTime();
        connections.replaceAll((connection, seen) -> seen(connection, seen, now));
        // A scheduler that has stopped ignores tasks without an error.
        var _ = connector.getScheduler().schedule(this::watch, limit.toMillis() / 4 + 1, TimeUnit.MILLISECONDS);
    }

    private Seen seen(Connection connection, Seen before, long now) {
        long answered = connection.getMessagesOut();
        boolean underWay = connection.getMessagesIn() > answered;
        if (answered > before.messages() || underWay)
            return new Seen(answered, connection.getBytesIn(), 0);
        if (connection.getBytesIn() <= before.bytes())
            return before;
        if (before.nanos() == 0)
            return new Seen(before.messages(), before.bytes(), now == 0 ? 1 : now);
        if (now - before.nanos() >= limit.toNanos())
            connection.getEndPoint().close();
        return before;
    }
}
