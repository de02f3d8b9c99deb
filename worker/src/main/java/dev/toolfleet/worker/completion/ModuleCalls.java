package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Inquiries to modules, for all handles of a worker.
///
/// **Contract.** At most [#MOST] run at a time, each on a virtual thread, and each is interrupted when it takes too
/// long. A module's exception is logged and counts as no answer (G5 in `docs/guarantees.md`).
///
/// **Threads.** Thread-safe.
final class ModuleCalls implements AutoCloseable {
    /// Most inquiries of a worker at a time.
    static final int MOST = 64;
    /// Longest time of an inquiry.
    static final Duration LIMIT = Duration.ofSeconds(30);
    /// Time after its interrupt for which an inquiry is waited for.
    private static final Duration GRACE = Duration.ofSeconds(2);
    /// Most inquiries to one tool's module that ignore their interrupt. Beyond these the module is not called: each
    /// keeps a thread, and a handle repeats its question every 45 s.
    static final int MOST_HUNG = 16;
    private static final AtomicInteger NONE = new AtomicInteger();
    private static final Logger LOG = LoggerFactory.getLogger(ModuleCalls.class);

    private final HandleModules modules;
    private final Duration limit;
    private final Duration grace;
    private final Semaphore free = new Semaphore(MOST);
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<ToolRef, AtomicInteger> hung = new ConcurrentHashMap<>();

    /// Creates inquiries that take at most [#LIMIT].
    public ModuleCalls(HandleModules modules) {
        this(modules, LIMIT);
    }

    ModuleCalls(HandleModules modules, Duration limit) {
        this(modules, limit, GRACE);
    }

    ModuleCalls(HandleModules modules, Duration limit, Duration grace) {
        this.modules = modules;
        this.limit = limit;
        this.grace = grace;
    }

    HandleModules modules() {
        return modules;
    }

    /// Starts an inquiry to the module of a call.
    ///
    /// @param what [HandleTimer.Effect#QUESTION] or [HandleTimer.Effect#TELL]
    /// @param pending the whole call
    /// @param answered called on a thread of this class, exactly once unless this is closed
    /// @return false if [#MOST] inquiries are under way
    boolean start(HandleTimer.Effect what, PendingCall pending, Consumer<ModuleAnswer> answered) {
        ToolRef tool = pending.origin() == null ? null : pending.origin().tool();
        if (tool == null) {
            answered.accept(nothing(what, pending));
            return true;
        }
        if (hung.getOrDefault(tool, NONE).get() >= MOST_HUNG) {
            log(tool, pending, MOST_HUNG + " earlier calls into it have not returned");
            answered.accept(nothing(what, pending));
            return true;
        }
        if (!free.tryAcquire())
            return false;
        Thread waits = Thread.ofVirtual().name("module-" + tool.tool()).unstarted(
                () -> wait(what, tool, pending, answered));
        waiting.add(waits);
        waits.start();
        return true;
    }

    private void wait(HandleTimer.Effect what, ToolRef tool, PendingCall pending, Consumer<ModuleAnswer> answered) {
        AtomicReference<@Nullable ModuleAnswer> answer = new AtomicReference<>();
        AtomicInteger hanging = hung.computeIfAbsent(tool, none -> new AtomicInteger());
        // The later of the two events counts the hanging call: its abandonment, or its return.
        AtomicBoolean over = new AtomicBoolean();
        Thread asks = Thread.ofVirtual().name("module-call-" + tool.tool()).start(() -> {
            answer.set(call(what, tool, pending));
            if (!over.compareAndSet(false, true))
                hanging.decrementAndGet();
        });
        try {
            if (!asks.join(limit)) {
                asks.interrupt();
                if (!asks.join(grace)) {
                    hanging.incrementAndGet();
                    if (!over.compareAndSet(false, true))
                        hanging.decrementAndGet();
                    log(tool, pending, "it ignores its interrupt after " + limit.toMillis() + " ms");
                }
            }
            ModuleAnswer given = answer.get();
            answered.accept(given == null ? nothing(what, pending) : given);
        } catch (InterruptedException e) {
            // The worker stops. The next owner of the handle repeats the question.
            asks.interrupt();
        } finally {
            free.release();
            waiting.remove(Thread.currentThread());
        }
    }

    private ModuleAnswer call(HandleTimer.Effect what, ToolRef tool, PendingCall pending) {
        PendingWork work = new PendingWork(pending.handle(), pending.call().argsObject(), pending.output(),
                pending.call().instanceKey(), pending.call().agentName(), pending.call().id(), pending.createdAt(),
                pending.deadline());
        try {
            if (what == HandleTimer.Effect.TELL) {
                modules.cancel(tool, work);
                return nothing(what, pending);
            }
            return new ModuleAnswer.Found(CallPlace.of(pending), PollAnswers.completion(pending.handle(),
                    modules.ask(tool, work)));
        } catch (Throwable e) {
            log(tool, pending, Unquoted.name(e));
            return nothing(what, pending);
        }
    }

    private static ModuleAnswer nothing(HandleTimer.Effect what, PendingCall pending) {
        CallPlace call = CallPlace.of(pending);
        return what == HandleTimer.Effect.TELL ? new ModuleAnswer.Informed(call) : new ModuleAnswer.Silent(call);
    }

    private static void log(ToolRef tool, PendingCall pending, String reason) {
        LOG.atWarn().addKeyValue(LogKeys.BUNDLE, tool.bundle())
                .addKeyValue(LogKeys.TOOL, tool.tool() + "/" + tool.export())
                .addKeyValue(LogKeys.CALL_ID, pending.call().id()).addKeyValue(LogKeys.REASON, reason)
                .log("inquiry to a module about pending work failed");
    }

    /// Interrupts the inquiries under way.
    @Override
    public void close() {
        waiting.forEach(Thread::interrupt);
    }
}
