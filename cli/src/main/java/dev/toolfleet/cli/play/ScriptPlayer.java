package dev.toolfleet.cli.play;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.script.RunScript;
import dev.toolfleet.cli.script.ScriptCall;
import dev.toolfleet.cli.script.ScriptStep;
import dev.toolfleet.cli.script.StepSchedule;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.wire.StepStarted;
import org.jspecify.annotations.Nullable;

/// Plays a script: announces each step, waits for its catalog, sends its calls, completions, decisions and
/// cancellations, and waits until every call has its final result. One thread decides; what the clients say comes to it
/// as events.
public final class ScriptPlayer {
    /// The client's own timeouts come after the player's, whose message has more detail.
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final ToolFleetClient client;
    private final ActSender sender;
    private final Duration timeout;
    private final Heartbeat heartbeat;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    private sealed interface Event {
        record CatalogCame(ScriptStep step) implements Event {}

        record StepFailed(ScriptStep step, Throwable reason) implements Event {}

        record CallSent(ScriptCall call) implements Event {}

        record FirstResult(ScriptCall call) implements Event {}

        record PendingResult(ScriptCall call, String handle) implements Event {}

        record FinalResult(ScriptCall call) implements Event {}

        record CallFailed(ScriptCall call, Throwable reason) implements Event {}

        record Task(Runnable task) implements Event {}
    }

    /// Hears how far the player is, about once a second.
    @FunctionalInterface
    public interface Heartbeat {
        /// Reports how far the script is.
        ///
        /// @param done how many calls have their final result
        void beat(int done, int all);
    }

    /// A player over a client whose step timeout is longer than `timeout`.
    ///
    /// @param timeout for the whole script
    public ScriptPlayer(ToolFleetClient client, Completions completions, Decisions decisions, Duration timeout,
            Heartbeat heartbeat) {
        this.client = client;
        this.sender = new ActSender(client, completions, decisions);
        this.timeout = timeout;
        this.heartbeat = heartbeat;
    }

    /// Plays the script.
    public Played play(RunScript script) throws InterruptedException {
        Map<ScriptCall, String> open = new LinkedHashMap<>();
        script.calls()
                .forEach(call -> open.put(call, "was not sent, since earlier calls of its instance have no result"));
        int all = open.size();
        ScriptActs acts = new ScriptActs(script.acts(), sender, new OnThisThread());
        StepSchedule schedule = new StepSchedule(script);
        schedule.first().forEach(step -> begin(step, open));
        long giveUp = System.nanoTime() + timeout.toNanos();
        LostCalls hopes = new LostCalls(schedule, open);
        while (open.size() > hopes.lost() || acts.underWay()) {
            long left = giveUp - System.nanoTime();
            if (left <= 0)
                break;
            Event event = events.poll(Math.min(left, TimeUnit.SECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
            heartbeat.beat(all - open.size(), all);
            handle(event, hopes, acts, open);
        }
        return new Played(open.entrySet().stream().map(call -> call.getKey() + " " + call.getValue()).toList(),
                acts.unsent());
    }

    private void handle(@Nullable Event event, LostCalls hopes, ScriptActs acts, Map<ScriptCall, String> open) {
        switch (event) {
            case null -> {
                // Nothing came within a beat.
            }
            case Event.CatalogCame(ScriptStep step) -> step.calls().forEach(call -> send(call, open));
            case Event.StepFailed(ScriptStep step, Throwable reason) -> hopes.stepFailed(step, message(reason));
            case Event.CallSent(ScriptCall call) -> acts.sent(call);
            case Event.PendingResult(ScriptCall call, String handle) -> acts.pending(call, handle);
            case Event.FirstResult(ScriptCall call) -> hopes.answered(call).ifPresent(next -> begin(next, open));
            case Event.FinalResult(ScriptCall call) -> open.remove(call);
            case Event.CallFailed(ScriptCall call, Throwable reason) -> hopes.callFailed(call, message(reason));
            case Event.Task(Runnable task) -> task.run();
        }
    }

    private void begin(ScriptStep step, Map<ScriptCall, String> open) {
        step.calls().forEach(call -> open.put(call, "was not sent: its step got no catalog in time"));
        var first = step.calls().getFirst().call();
        client.beginStep(new StepStarted(step.instanceKey(), step.agentName(), step.turnId(), step.stepId(),
                first.stepIndex(), first.userId(), first.channelId(), null)).whenComplete(
                        (catalog, problem) -> events
                                .add(problem == null
                                        ? new Event.CatalogCame(step)
                                        : new Event.StepFailed(step, problem)));
    }

    private void send(ScriptCall call, Map<ScriptCall, String> open) {
        open.put(call, "has no final result yet");
        CallHandle handle = client.call(call.call(), CallOptions.within(timeout.plus(MARGIN)));
        handle.sent().thenAccept(where -> events.add(new Event.CallSent(call)));
        handle.onPending(result -> {
            if (result.handle() != null)
                events.add(new Event.PendingResult(call, result.handle()));
        });
        handle.firstResult().thenAccept(result -> events.add(new Event.FirstResult(call)));
        handle.result().whenComplete((result, problem) -> events
                .add(problem == null ? new Event.FinalResult(call) : new Event.CallFailed(call, problem)));
    }

    private static String message(Throwable problem) {
        Throwable cause = problem instanceof CompletionException && problem.getCause() != null
                ? problem.getCause()
                : problem;
        return String.valueOf(cause.getMessage());
    }

    private final class OnThisThread implements ScriptActs.Loop {
        @Override
        public void run(Runnable task) {
            events.add(new Event.Task(task));
        }

        @Override
        public void runAfter(Duration delay, Runnable task) {
            CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS).execute(() -> run(task));
        }
    }

    /// Outcome of a script.
    ///
    /// @param missing one sentence for each call that has no final result
    /// @param unsent one sentence for each completion, decision or cancellation that was not sent
    public record Played(List<String> missing, List<String> unsent) {
        /// Copies both.
        public Played {
            missing = List.copyOf(missing);
            unsent = List.copyOf(unsent);
        }
    }
}
