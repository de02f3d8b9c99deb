package dev.toolfleet.cli.play;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.cli.script.ScriptAct;
import dev.toolfleet.cli.script.ScriptAct.Target;
import dev.toolfleet.cli.script.ScriptCall;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// Completions, decisions and cancellations of a script: each is sent when what it waits for has happened, those of one
/// moment in the order of the script. Used by the player's thread alone.
final class ScriptActs {
    /// Client that sends them.
    interface Sender {
        CompletionStage<Void> complete(Completion completion);

        CompletionStage<Void> decide(Decision decision);

        CompletionStage<Void> cancel(CancelCall cancel);

        /// Kind of the wait behind the pending result with this handle. Fails if it cannot be found.
        CompletionStage<PendingCall.Kind> awaited(String handle);
    }

    /// The player's thread.
    interface Loop {
        /// Runs `task` there, soon.
        void run(Runnable task);

        /// Runs `task` there when `delay` is over.
        void runAfter(Duration delay, Runnable task);
    }

    private final Sender sender;
    private final Loop loop;
    private final List<ScriptAct> all;
    private final List<ScriptAct> waiting;
    private final Set<ScriptAct> underWay = new HashSet<>();
    private final Set<Seen> seen = new HashSet<>();
    private final Map<ScriptAct, String> failed = new LinkedHashMap<>();
    private int asking;

    private record Seen(ScriptCall call, String handle) {}

    ScriptActs(List<ScriptAct> acts, Sender sender, Loop loop) {
        this.all = List.copyOf(acts);
        this.waiting = new ArrayList<>(acts);
        this.sender = sender;
        this.loop = loop;
    }

    /// The broker has a call.
    void sent(ScriptCall call) {
        for (ScriptAct act : List.copyOf(waiting)) {
            if (act instanceof ScriptAct.Cancel cancel && !cancel.oncePending()
                    && cancel.target() instanceof Target.OfCall(ScriptCall meant)
                    && meant.equals(call))
                begin(cancel, call, null);
        }
    }

    /// A call has a pending result; it may have several, such as that of its work after that of its approval.
    void pending(ScriptCall call, String handle) {
        // The fleet repeats the pending result for a duplicate of the call.
        if (!seen.add(new Seen(call, handle)))
            return;
        if (all.stream().noneMatch(act -> act instanceof ScriptAct.Decide && means(act, call, handle))) {
            about(call, handle).forEach(act -> act(act, call, handle));
            return;
        }
        // A result does not say what is awaited.
        asking++;
        sender.awaited(handle).whenComplete((kind, problem) -> loop.run(() -> {
            asking--;
            if (problem != null)
                undecidable(call, handle, reason(problem));
            else
                pending(call, handle, kind);
        }));
    }

    private void pending(ScriptCall call, String handle, PendingCall.Kind kind) {
        switch (kind) {
            case ASYNC -> {
                undecidable(call, handle, call + " waits for its work, not for a person's decision; look whether a rule"
                        + " asks for approval of it (toolfleet policy explain " + call.call().name() + ")");
                about(call, handle).forEach(act -> act(act, call, handle));
            }
            case APPROVAL -> {
                Optional<ScriptAct> first = about(call, handle).stream().filter(ScriptAct.Decide.class::isInstance)
                        .findFirst();
                // Completions are for the work, which comes after the approval.
                about(call, handle).stream()
                        .filter(act -> act instanceof ScriptAct.Cancel || first.filter(act::equals).isPresent())
                        .forEach(act -> act(act, call, handle));
            }
            case AUTHORIZATION -> undecidable(call, handle,
                    call + " waits until a person has authorized the tool, which no script does");
            case UNKNOWN ->
                undecidable(call, handle, call + " waits for something that this version does not know; run the"
                        + " script with the toolfleet of the version that wrote its handle");
        }
    }

    private void undecidable(ScriptCall call, String handle, String why) {
        for (ScriptAct act : about(call, handle)) {
            if (act instanceof ScriptAct.Decide) {
                waiting.remove(act);
                failed.put(act, why);
            }
        }
    }

    private void act(ScriptAct act, ScriptCall call, String handle) {
        switch (act) {
            case ScriptAct.Complete complete -> {
                begin(complete);
                send(complete, sender.complete(complete.of(handle)));
            }
            case ScriptAct.Decide decide -> {
                begin(decide);
                send(decide, sender.decide(decide.of(handle)));
            }
            case ScriptAct.Cancel cancel -> begin(cancel, call, handle);
        }
    }

    /// Acts that wait for this, in the order of the script.
    private List<ScriptAct> about(ScriptCall call, String handle) {
        return waiting.stream().filter(act -> means(act, call, handle)).toList();
    }

    private static boolean means(ScriptAct act, ScriptCall call, String handle) {
        return switch (act.target()) {
            case Target.OfCall(ScriptCall named) -> named.equals(call);
            case Target.OfHandle(String named) -> named.equals(handle);
        };
    }

    /// True if an act is being sent or will be, independent of the calls.
    boolean underWay() {
        return !underWay.isEmpty() || asking > 0;
    }

    /// Acts that were not sent, with the reason.
    List<String> unsent() {
        List<String> unsent = new ArrayList<>();
        failed.forEach((act, reason) -> unsent.add(act + " was not sent: " + reason));
        underWay.forEach(act -> unsent.add(act + " was not sent: its time had not come"));
        waiting.forEach(act -> unsent.add(act + " was not sent: " + switch (act.target()) {
            case Target.OfHandle(String handle) -> "no call got a pending result with handle '" + handle + "'";
            case Target.OfCall(ScriptCall call) -> switch (act) {
                case ScriptAct.Complete _ -> call + " got no pending result";
                case ScriptAct.Decide _ -> call + " got no pending result to decide about";
                case ScriptAct.Cancel cancel ->
                    call + (cancel.oncePending() ? " got no pending result" : " was not sent itself");
            };
        }));
        return unsent;
    }

    private void begin(ScriptAct act) {
        waiting.remove(act);
        underWay.add(act);
    }

    private void begin(ScriptAct.Cancel cancel, ScriptCall call, @Nullable String handle) {
        begin(cancel);
        Runnable now = () -> send(cancel, sender.cancel(
                cancel.of(call.call(), cancel.target() instanceof Target.OfHandle ? handle : null)));
        if (cancel.after().isZero())
            now.run();
        else
            loop.runAfter(cancel.after(), now);
    }

    private void send(ScriptAct act, CompletionStage<Void> sent) {
        sent.whenComplete((nothing, problem) -> loop.run(() -> {
            underWay.remove(act);
            if (problem != null)
                failed.put(act, reason(problem));
        }));
    }

    private static String reason(Throwable problem) {
        Throwable cause = problem instanceof CompletionException && problem.getCause() != null
                ? problem.getCause()
                : problem;
        return String.valueOf(cause.getMessage());
    }
}
