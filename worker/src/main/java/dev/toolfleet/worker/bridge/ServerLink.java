package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.client.ServerDescription;
import dev.toolfleet.mcp.client.ToolList;
import dev.toolfleet.worker.bridge.LinkSignals.Signal;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lasting connection to one server: opens it, reads its tools, and opens it again when it has ended.
///
/// **Contract.** At most one connection exists at a time; the former one has ended, with all its processes, before the
/// next begins. After [#close] nothing is left.
///
/// **Threads.** One thread of its own opens and closes connections and calls the users. Calls wait in [#await] on
/// theirs.
///
/// **Why.** A call that meets a connection at its end learns it from the connection, not from this class: the request
/// was then not sent, and the call awaits the next connection. Otherwise: the call takes the connection, the server
/// dies, and a check made before the call is worth nothing.
final class ServerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);
    /// The longest time between two readings of the tools of a server that does not report changes.
    private static final Duration REFRESH = Duration.ofMinutes(5);
    /// The shortest time between two readings, whatever a server reports.
    private static final Duration BETWEEN_READINGS = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final String label;
    private final Connector connector;
    private final BiFunction<Duration, Duration, RestartPause.Next> pauses;
    private final Duration patience;
    private final LinkSignals signals = new LinkSignals();
    private final List<User> users = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong starts;
    private final AtomicInteger calls = new AtomicInteger();
    private final Thread thread;
    private LinkState state = new LinkState.Starting();
    private LinkSignals.@Nullable Listener listener;
    private @Nullable Listing tools;
    private @Nullable Instant downSince = Instant.now();

    /// Tools of a server.
    ///
    /// @param server the server as it described itself when the connection was opened
    record Listing(ServerDescription server, ToolList tools) {}

    /// User of the server's tools. Its methods must not throw.
    interface User {
        /// Learns of the tools that the server has now.
        void listed(Listing listing);

        /// Learns that the server has been away for longer than its tools may stay.
        void gone();

        /// Number of tools whose definitions wait for approval.
        int withheld();
    }

    private ServerLink(String label, Connector connector, BiFunction<Duration, Duration, RestartPause.Next> pauses,
            Duration patience, AtomicLong starts) {
        this.starts = starts;
        this.label = label;
        this.connector = connector;
        this.pauses = pauses;
        this.patience = patience;
        this.thread = Thread.ofVirtual().name("mcp-" + label).unstarted(this::run);
    }

    /// Begins to connect, and returns at once.
    ///
    /// @param label its name in logs and metrics
    /// @param pauses returns the pause after a failure, from a time that only grows and the time for which the server
    ///        answered
    /// @param patience the time for which the tools of a server that is away stay
    /// @param starts counts the connections that are begun
    static ServerLink start(String label, Connector connector, BiFunction<Duration, Duration, RestartPause.Next> pauses,
            Duration patience, AtomicLong starts) {
        ServerLink link = new ServerLink(label, connector, pauses, patience, starts);
        link.thread.start();
        return link;
    }

    String label() {
        return label;
    }

    int withheld() {
        return users.stream().mapToInt(User::withheld).sum();
    }

    boolean isOpen() {
        return state() instanceof LinkState.Open;
    }

    /// Adds a user, who learns of the present tools at once if they are known.
    void add(User user) {
        users.add(user);
        Listing told = null;
        // Otherwise: the link's thread lists newer tools between the look and the call, and the older ones stay.
        for (Listing known = known(); known != null && !known.equals(told); known = known()) {
            user.listed(known);
            told = known;
        }
    }

    private @Nullable Listing known() {
        lock.lock();
        try {
            return tools;
        } finally {
            lock.unlock();
        }
    }

    void remove(User user) {
        users.remove(user);
    }

    /// Waits for an open connection.
    ///
    /// @throws ServerDownException if there will be none in time, or the server fails too often to wait for
    OpenServer await(Instant deadline) throws ServerDownException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                switch (state) {
                    case LinkState.Open(OpenServer server) -> {
                        if (server.client().isOpen())
                            return server;
                        waitUntil(deadline, "its connection has ended");
                    }
                    case LinkState.Closed _ -> throw new ServerDownException(label, "the worker has let it go");
                    case LinkState.Down(String reason, Instant until, boolean paused) when paused ->
                        throw new ServerDownException(label, reason + "; it starts again at " + until);
                    case LinkState.Down down -> waitUntil(deadline, down.reason());
                    case LinkState.Starting _ -> waitUntil(deadline, "it is being started");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The caller loops.
    private void waitUntil(Instant deadline, String reason) throws ServerDownException, InterruptedException {
        long left = Duration.between(Instant.now(), deadline).toNanos();
        if (left <= 0 || changed.awaitNanos(left) <= 0)
            throw new ServerDownException(label, reason);
    }

    /// Ends a connection on which a request could not be sent, if it is still the present one.
    void lost(OpenServer server, String reason) {
        lock.lock();
        try {
            if (isPresent(server) && listener != null)
                listener.closed(reason);
        } finally {
            lock.unlock();
        }
    }

    /// Reports a call that got no answer in time: the server is replaced if it answers nothing else either.
    void doubt(OpenServer server) {
        lock.lock();
        try {
            if (isPresent(server) && listener != null)
                listener.doubt();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // A connection is itself alone.
    private boolean isPresent(OpenServer server) {
        return state instanceof LinkState.Open(OpenServer present) && present == server;
    }

    /// Counts a call. A server that is at work on a call may be too busy to answer anything else.
    void began() {
        calls.incrementAndGet();
    }

    /// Counts the end of a call.
    void ended() {
        calls.decrementAndGet();
    }

    private LinkState state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (!signals.isStopped())
                live();
        } catch (InterruptedException e) {
            LOG.atDebug().addKeyValue(BridgeLogKeys.SERVER, label).log("MCP server let go");
        } finally {
            become(new LinkState.Closed());
        }
    }

    /// One connection from its opening to the end of the pause after it.
    private void live() throws InterruptedException {
        become(new LinkState.Starting());
        starts.incrementAndGet();
        LinkSignals.Listener ears = listen();
        try (OpenServer server = connector.open(ears)) {
            long opened = System.nanoTime();
            String reason = served(server, ears);
            down(reason + server.lastWords(), Duration.ofNanos(System.nanoTime() - opened));
        } catch (IOException | McpException e) {
            down(String.valueOf(e.getMessage()), Duration.ZERO);
        }
        if (state() instanceof LinkState.Down(String _, Instant until, boolean _))
            sleep(Duration.between(Instant.now(), until));
    }

    private LinkSignals.Listener listen() {
        lock.lock();
        try {
            LinkSignals.Listener made = signals.next();
            listener = made;
            return made;
        } finally {
            lock.unlock();
        }
    }

    /// Serves a connection until its end. Returns the reason of the end.
    private String served(OpenServer server, LinkSignals.Listener ears) throws InterruptedException {
        try {
            return attend(server, ears);
        } catch (McpException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String attend(OpenServer server, LinkSignals.Listener ears) throws McpException, InterruptedException {
        Duration next = read(server.client());
        become(new LinkState.Open(server));
        LOG.atInfo().addKeyValue(BridgeLogKeys.SERVER, label)
                .addKeyValue("revision", server.client().server().revision().text()).log("MCP server is connected");
        long read = System.nanoTime();
        while (true) {
            Duration left = next.minusNanos(System.nanoTime() - read);
            switch (signals.await(ears, left.compareTo(LOOK) < 0 ? left : LOOK)) {
                case Signal.Stop _ -> {
                    return "the worker has let it go";
                }
                case Signal.Ended(String reason) -> {
                    return reason;
                }
                case Signal.Changed _ -> {
                    signals.pause(BETWEEN_READINGS);
                    next = readAgain(server.client(), next);
                    read = System.nanoTime();
                }
                case Signal.Doubted _ -> {
                    next = readAgain(server.client(), next);
                    read = System.nanoTime();
                }
                case Signal.Elapsed _ -> {
                    server.look();
                    if (System.nanoTime() - read >= next.toNanos()) {
                        next = readAgain(server.client(), next);
                        read = System.nanoTime();
                    }
                }
            }
        }
    }

    /// Reads the tools, and returns the time after which they are read again.
    private Duration read(McpClient client) throws McpException, InterruptedException {
        ToolList list = client.tools();
        Listing listing = new Listing(client.server(), list);
        lock.lock();
        try {
            tools = listing;
            downSince = null;
        } finally {
            lock.unlock();
        }
        users.forEach(user -> user.listed(listing));
        Duration ttl = list.timeToLive();
        if (client.server().reportsToolChanges() || ttl == null || ttl.compareTo(REFRESH) > 0)
            return REFRESH;
        Duration least = ttl.compareTo(BETWEEN_READINGS) < 0 ? BETWEEN_READINGS : ttl;
        return least.plusMillis(ThreadLocalRandom.current().nextLong(1 + least.toMillis() / 5));
    }

    /// The same with an open connection: a server that is at work on a call keeps its connection without an answer.
    private Duration readAgain(McpClient client, Duration before) throws McpException, InterruptedException {
        try {
            return read(client);
        } catch (McpException e) {
            if (calls.get() > 0 && client.isOpen())
                return before;
            throw e;
        }
    }

    private void down(String reason, Duration lived) {
        if (signals.isStopped())
            return;
        RestartPause.Next next = pauses.apply(Duration.ofNanos(System.nanoTime()), lived);
        lock.lock();
        try {
            if (downSince == null)
                downSince = Instant.now();
        } finally {
            lock.unlock();
        }
        become(new LinkState.Down(reason, Instant.now().plus(next.pause()), next.open()));
        LOG.atWarn().addKeyValue(BridgeLogKeys.SERVER, label).addKeyValue(LogKeys.REASON, reason)
                .addKeyValue(LogKeys.MILLIS, next.pause().toMillis())
                .log(next.open() ? "MCP server fails again and again, and is paused" : "MCP server is away");
    }

    /// Waits for the next start, and lets the users know once the server has been away for too long.
    private void sleep(Duration pause) throws InterruptedException {
        long end = System.nanoTime() + pause.toNanos();
        tellIfGone();
        for (long left = end - System.nanoTime(); left > 0 && !signals.isStopped(); left = end - System.nanoTime()) {
            signals.pause(Duration.ofNanos(Math.min(left, Duration.ofSeconds(1).toNanos())));
            tellIfGone();
        }
    }

    private void tellIfGone() {
        lock.lock();
        try {
            if (tools == null || downSince == null || downSince.plus(patience).isAfter(Instant.now()))
                return;
            tools = null;
        } finally {
            lock.unlock();
        }
        LOG.atWarn().addKeyValue(BridgeLogKeys.SERVER, label).log("tools of MCP server withdrawn, it is away too long");
        users.forEach(User::gone);
    }

    private void become(LinkState next) {
        lock.lock();
        try {
            state = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends the connection, and returns when nothing of it is left, or after 10 s.
    @Override
    public void close() {
        signals.stop();
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            if (!thread.join(CLOSING))
                LOG.atError().addKeyValue(BridgeLogKeys.SERVER, label).log("MCP server does not end");
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
