package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.server.ChangeSink;
import dev.toolfleet.mcp.server.ListenFilter;
import dev.toolfleet.mcp.server.RpcException;
import dev.toolfleet.mcp.server.ServerContext;
import org.jspecify.annotations.Nullable;

/// Changes for MCP clients that listen: those of the list of tools, and those of tasks.
///
/// **Contract.** A list is reported as changed once its step's digest is another. While the fleet cannot be asked,
/// nothing is reported, and what has changed by then is reported afterwards.
///
/// **Threads.** One virtual thread for the list and for each task of a stream, which the end of the stream interrupts.
final class McpChanges {
    private static final Duration GLANCE = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST_TASKS = 10_000;

    private final McpSteps steps;
    private final McpTasks tasks;
    private final Semaphore places = new Semaphore(MOST_TASKS);

    McpChanges(McpSteps steps, McpTasks tasks) {
        this.steps = steps;
        this.tasks = tasks;
    }

    /// Begins to report; the returned action ends it.
    Runnable listen(ServerContext<McpCaller> context, ListenFilter filter, ChangeSink sink) throws RpcException {
        String instance = McpNames.instance(context);
        int wanted = filter.taskIds().size();
        if (!places.tryAcquire(wanted))
            throw new RpcException(new RpcError(RpcError.INTERNAL, "All clients together may listen to " + MOST_TASKS
                    + " tasks, and fewer than " + wanted + " places are left. Ask with tasks/get."));
        List<Thread> threads = new ArrayList<>();
        if (filter.tools()) {
            // Before the listener is told that it listens. Otherwise: a change in between counts as the first state.
            String shown = steps.shown(context.caller(), instance);
            threads.add(begin(() -> followTools(context, instance, shown, sink)));
        }
        for (String taskId : filter.taskIds())
            threads.add(begin(() -> followTask(context, taskId, sink)));
        return () -> {
            threads.forEach(Thread::interrupt);
            places.release(wanted);
        };
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread begin(Work work) {
        return Thread.ofVirtual().name("mcp-listener").start(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                // The stream has ended.
            }
        });
    }

    private void followTools(ServerContext<McpCaller> context, String instance, @Nullable String shown,
            ChangeSink sink) throws InterruptedException {
        String digest = shown;
        while (true) {
            String now = digest(context.caller(), instance);
            if (now != null && digest != null && !now.equals(digest))
                sink.toolsChanged();
            digest = now == null ? digest : now;
            Thread.sleep(GLANCE);
        }
    }

    private @Nullable String digest(McpCaller caller, String instance) throws InterruptedException {
        try {
            return steps.current(caller, instance).digest();
        } catch (ProblemException e) {
            Thread.sleep(PAUSE);
            return null;
        }
    }

    private void followTask(ServerContext<McpCaller> context, String taskId, ChangeSink sink)
            throws InterruptedException {
        TaskSnapshot told = null;
        while (told == null || !told.status().isFinal()) {
            try {
                TaskSnapshot now = tasks.get(context, taskId, told == null ? Duration.ZERO : LOOK);
                if (!now.equals(told))
                    sink.taskChanged(now);
                told = now;
            } catch (RpcException e) {
                return; // no such task, or none any more
            } catch (ProblemException e) {
                if (e.problem().type() != ProblemType.NOT_READY)
                    return;
                Thread.sleep(PAUSE);
            }
            if (Thread.interrupted())
                throw new InterruptedException();
        }
    }
}
