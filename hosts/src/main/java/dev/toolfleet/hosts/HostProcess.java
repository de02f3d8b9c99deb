package dev.toolfleet.hosts;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

import dev.toolfleet.hosts.EndSignal.End;
import dev.toolfleet.hosts.HostReply.Answered;
import dev.toolfleet.hosts.HostReply.Lost;
import dev.toolfleet.hosts.HostReply.NotSent;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.worker.sandbox.StartedProgram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Running process of a host, from its greeting to its end.
///
/// **Contract.** Each request gets exactly one reply. When the process ends, all its processes are gone before a
/// request is [Lost]. Otherwise: the call starts again on another process while the old one still works on it. Answers
/// that the process wrote before its end count.
///
/// **Threads.** Any may send. Three threads belong to the process: the *reader* of its messages, the *writer*, and the
/// *watch*, which owns the program: it looks for its processes, pings it, and ends it.
final class HostProcess {
    /// The longest time between a greeting and its answer.
    static final Duration START = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(HostProcess.class);
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final long DRAINED_MILLIS = 1_000;

    /// Facts about a host, from its greeting.
    ///
    /// @param language such as `node`
    /// @param version such as `20.20.2`
    record Greeting(String language, String version) {}

    private final String label;
    private final StartedProgram program;
    private final HostPrints prints;
    private final HostWriter writer;
    private final HostInbox inbox;
    private final CompletableFuture<String> death = new CompletableFuture<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final long born = System.nanoTime();
    private final Map<String, CompletableFuture<HostReply>> loads = new ConcurrentHashMap<>();
    private final EndSignal end;
    private final Thread reader;
    private final Thread watch;
    private Greeting greeting = new Greeting("", "");
    private volatile JsonNode vitals = JsonNodeFactory.instance.objectNode();

    private HostProcess(HostLaunch launch, StartedProgram program) {
        this.label = launch.label();
        this.program = program;
        Process process = program.process();
        this.prints = HostPrints.follow(label, process.getErrorStream());
        this.writer = new HostWriter(process.getOutputStream(), label);
        this.inbox = new HostInbox(label, new HostInbox.Outbox() {
            @Override
            public void write(byte[] line) {
                writer.write(line, null);
            }

            @Override
            public void free(int calls) {
                writer.free(calls);
            }
        });
        this.end = new EndSignal(inbox::size);
        this.reader = Thread.ofPlatform().daemon().name("host-reader-" + label).unstarted(this::read);
        this.watch = Thread.ofPlatform().daemon().name("host-watch-" + label).unstarted(this::watch);
    }

    /// Speaks with a started program, and waits for its greeting.
    ///
    /// @throws HostDownException if the program does not greet in time; then none of its processes is left
    static HostProcess greet(HostLaunch launch, StartedProgram program, String workerVersion)
            throws HostDownException, InterruptedException {
        HostProcess host = new HostProcess(launch, program);
        host.reader.start();
        host.writer.start();
        host.watch.start();
        var _ = program.process().onExit().thenRun(() -> host.end.give(End.of("it ended")));
        boolean greeted = false;
        try {
            host.greeting = greeting(host.hello(workerVersion), launch);
            greeted = true;
            LOG.atInfo().addKeyValue(HostLogKeys.HOST, host.label)
                    .addKeyValue(HostLogKeys.PID, program.process().pid()).log("host started");
            return host;
        } finally {
            if (!greeted)
                host.close();
        }
    }

    private HostReply hello(String workerVersion) throws InterruptedException {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("protocol", HostProtocol.VERSION).put("worker",
                workerVersion);
        params.putObject("limits").put("messageBytes", HostProtocol.MESSAGE_BYTES).put("inFlight",
                HostProtocol.IN_FLIGHT);
        HostReply reply = send("hello", params, HostRequest.Listener.NONE).await(START.toMillis());
        if (reply instanceof NotSent(String reason))
            return new NotSent(causeOfDeath(reason));
        if (reply instanceof Answered(JsonNode result))
            writer.limit(Math.clamp(result.path("inFlight").intValue(HostProtocol.IN_FLIGHT), 1,
                    HostProtocol.IN_FLIGHT));
        return reply == null
                ? new Lost("it did not answer `hello` within " + START.toSeconds() + " s")
                : reply;
    }

    /// Waits for the reason, which is known a little after the end.
    private String causeOfDeath(String otherwise) throws InterruptedException {
        try {
            return death.get(START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return otherwise;
        }
    }

    private static Greeting greeting(HostReply reply, HostLaunch launch) throws HostDownException {
        return switch (reply) {
            case Answered(JsonNode result) -> {
                if (result.path("protocol").intValue(0) != HostProtocol.VERSION)
                    throw new HostDownException("it speaks version " + result.path("protocol")
                            + " of the host protocol, and this worker speaks " + HostProtocol.VERSION);
                yield new Greeting(result.path("language").stringValue(""), result.path("version").stringValue(""));
            }
            case HostReply.Failed(int code, String message, var _) ->
                throw new HostDownException("it refused `hello` with error " + code + ": " + message);
            case HostReply.Unreadable(String reason) -> throw new HostDownException(reason);
            case Lost(String reason) -> throw new HostDownException(reason + launch.remedy(reason));
            case NotSent(String reason) -> throw new HostDownException(reason + launch.remedy(reason));
        };
    }

    Greeting greeting() {
        return greeting;
    }

    /// Completes with the reason if the process ends although nothing ended it, before its requests are lost.
    CompletableFuture<String> death() {
        return death;
    }

    long pid() {
        return program.process().pid();
    }

    /// The last answer to `ping`: `eventLoopLagMs`, `rss`, `inFlight`; empty before the first.
    JsonNode vitals() {
        return vitals;
    }

    /// Number of calls that the host has.
    int inFlight() {
        return writer.atHost();
    }

    /// Number of calls that the host has, and of those that wait for it.
    int openCalls() {
        return writer.open();
    }

    /// Returns the contexts of the calls that wait for the host or are there.
    List<ToolContext> contexts() {
        return inbox.contexts();
    }

    /// True if calls may be sent.
    boolean takesCalls() {
        return end.isOff();
    }

    /// True if nothing of it is left.
    boolean isGone() {
        return !watch.isAlive();
    }

    /// Takes no more calls, and ends the process once those at work have ended.
    void retire() {
        end.retire();
    }

    /// True if it has had its share of calls or of time.
    boolean isWornOut(HostsConfig.Renewal renewal) {
        return renewal.isDue(calls.get(), Duration.ofNanos(System.nanoTime() - born));
    }

    /// Sends a request. The reply is [NotSent] at once if the process has ended.
    HostRequest send(String method, ObjectNode params, HostRequest.Listener listener) {
        return send(method, params, listener, writer::write);
    }

    /// Sends a call once the host has room for it.
    HostRequest invoke(ObjectNode params, HostRequest.Listener listener) {
        calls.incrementAndGet();
        return send("invoke", params, listener, writer::call);
    }

    private HostRequest send(String method, ObjectNode params, HostRequest.Listener listener,
            BiPredicate<byte[], HostRequest> queue) {
        HostRequest request = new HostRequest(ids.incrementAndGet(), listener);
        byte[] line = HostProtocol.request(request.id(), method, params);
        if (line.length > HostProtocol.MESSAGE_BYTES) {
            request.end(new HostReply.Failed(HostProtocol.HANDLER_FAILED, "The arguments and the message of the call"
                    + " have " + line.length + " bytes, and a host takes at most " + HostProtocol.MESSAGE_BYTES + ".",
                    null));
            return request;
        }
        // Noted before it is written. Otherwise: the answer comes before the note, and counts as a stranger's.
        inbox.add(request);
        if (!queue.test(line, request))
            inbox.end(request, new NotSent("the process has ended"));
        return request;
    }

    /// Cancels a call: at the host, if that has it.
    void cancel(HostRequest call, String reason) {
        if (writer.withdraw(call))
            inbox.end(call, new NotSent("the call ended before the process had it"));
        else
            writer.write(HostProtocol.notification("cancel",
                    JsonNodeFactory.instance.objectNode().put("id", call.id()).put("reason", reason)), null);
    }

    /// Loads a Tool's module, once for each process.
    ///
    /// @param tool unique in the process
    /// @param params makes the parameters, if this is the first time
    HostReply load(String tool, Supplier<ObjectNode> params) throws InterruptedException {
        while (true) {
            CompletableFuture<HostReply> mine = new CompletableFuture<>();
            CompletableFuture<HostReply> first = loads.putIfAbsent(tool, mine);
            if (first == null)
                return load(tool, mine, params.get());
            try {
                return first.get();
            } catch (CancellationException e) {
                // The caller that loaded it was interrupted. Hosts allow a second load.
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private HostReply load(String tool, CompletableFuture<HostReply> loading, ObjectNode params)
            throws InterruptedException {
        try {
            HostReply reply = send("load", params, HostRequest.Listener.NONE).await();
            loading.complete(reply);
            return reply;
        } finally {
            if (!loading.isDone()) {
                loads.remove(tool, loading);
                loading.cancel(false);
            }
        }
    }

    /// Takes no more calls, and ends the process once its other calls have ended, or after [EndSignal#RETIREMENT].
    ///
    /// @param stuck a call that did not end after its cancellation
    void retire(HostRequest stuck) {
        end.abandon(stuck);
        if (stuck.release())
            writer.free(1);
    }

    /// Ends the process, and returns when nothing of it is left. Requests without a reply are lost.
    void close() {
        end.give(End.wanted("the worker ended it"));
        boolean interrupted = Thread.interrupted();
        while (watch.isAlive()) {
            try {
                watch.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }

    private void read() {
        try {
            inbox.readAll(program.process().getInputStream());
            end.give(End.of("it ended"));
        } catch (IOException e) {
            end.give(End.of("its messages cannot be read: " + e.getMessage()));
        } catch (HostInbox.TooManyFaults e) {
            end.give(End.killed(String.valueOf(e.getMessage())));
        } catch (RuntimeException | Error e) {
            LOG.atError().addKeyValue(HostLogKeys.HOST, label).setCause(e).log("reader of host failed");
            end.give(End.killed("the reader of its messages failed: " + e));
        }
    }

    private void watch() {
        End reason = End.killed("the watch of it failed");
        try {
            reason = watchUntilEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.atError().addKeyValue(HostLogKeys.HOST, label).setCause(e).log("watch of host failed");
        } finally {
            finish(reason);
        }
    }

    private End watchUntilEnd() throws InterruptedException {
        HostPulse pulse = new HostPulse(System.nanoTime());
        HostRequest ping = null;
        while (true) {
            End reason = end.await();
            if (reason != null)
                return reason;
            program.look();
            long now = System.nanoTime();
            if (ping != null && ping.isEnded()) {
                if (ping.await() instanceof Answered(JsonNode result))
                    vitals = result;
                ping = null;
                pulse.answered();
            }
            if (pulse.isStuck(now))
                return End.killed("it did not answer `ping` for " + HostPulse.PATIENCE.toSeconds()
                        + " s: a handler never lets the event loop turn");
            if (pulse.isDue(now, inbox.lastHeard(), inFlight()))
                ping = send("ping", JsonNodeFactory.instance.objectNode(), HostRequest.Listener.NONE);
        }
    }

    /// Ends all processes, takes the answers that are still in the pipe, and then ends the requests that are left.
    private void finish(End reason) {
        end.give(reason);
        writer.stop().forEach(unsent -> inbox.end(unsent, new NotSent("the process has ended")));
        Process process = program.process();
        if (!reason.kill() && process.isAlive())
            letEnd(process);
        program.end(reason.kill() ? Duration.ZERO : GRACE);
        String why = reason.text();
        try {
            reader.join(DRAINED_MILLIS);
            if (!reason.wanted() && !reason.kill() && process.waitFor(DRAINED_MILLIS, TimeUnit.MILLISECONDS)) {
                prints.await();
                why = "it ended with status " + process.exitValue() + prints.clause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!reason.wanted()) {
            LOG.atWarn().addKeyValue(HostLogKeys.HOST, label).addKeyValue(HostLogKeys.PID, process.pid())
                    .addKeyValue(HostLogKeys.REASON, why).log("host ended");
            death.complete(why);
        }
        inbox.endAll(new Lost(why));
        program.close();
    }

    /// Closes the input: a host ends then. On a thread of its own: a writer that waits for the host holds the stream.
    private static void letEnd(Process process) {
        Thread.ofVirtual().name("host-close").start(() -> {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // The process has ended.
            }
        });
        try {
            var _ = process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
