package dev.toolfleet.cli.play;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.cli.script.ScriptAct;
import dev.toolfleet.cli.script.ScriptAct.Target;
import dev.toolfleet.cli.script.ScriptCall;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import org.jspecify.annotations.Nullable;

/// Completions and cancellations of a script: each is sent when what it waits for has happened, those of one moment in
/// the order of the script. Used by the player's thread alone.
final class Acts {
    /// Where they are sent.
    interface Sender {
        CompletionStage<Void> complete(Completion completion);

        CompletionStage<Void> cancel(CancelCall cancel);
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
    private final List<ScriptAct> waiting;
    private final Set<ScriptAct> underWay = new HashSet<>();
    private final Map<ScriptAct, String> failed = new LinkedHashMap<>();

    Acts(List<ScriptAct> acts, Sender sender, Loop loop) {
        this.waiting = new ArrayList<>(acts);
        this.sender = sender;
        this.loop = loop;
    }

    /// The broker has a call.
    void sent(ScriptCall call) {
        for (ScriptAct act : List.copyOf(waiting)) {
            if (act instanceof ScriptAct.Cancel cancel && cancel.target() instanceof Target.OfCall(ScriptCall meant)
                    && meant.equals(call))
                begin(cancel, call, null);
        }
    }

    /// A call has a pending result.
    void pending(ScriptCall call, String handle) {
        for (ScriptAct act : List.copyOf(waiting)) {
            boolean meant = switch (act.target()) {
                case Target.OfCall(ScriptCall named) -> named.equals(call);
                case Target.OfHandle(String named) -> named.equals(handle);
            };
            if (!meant)
                continue;
            switch (act) {
                case ScriptAct.Complete complete -> {
                    begin(complete);
                    send(complete, sender.complete(complete.of(handle)));
                }
                case ScriptAct.Cancel cancel -> begin(cancel, call, handle);
            }
        }
    }

    /// Whether one is being sent or will be, whatever the calls do.
    boolean underWay() {
        return !underWay.isEmpty();
    }

    /// What was not sent, and why.
    List<String> unsent() {
        List<String> unsent = new ArrayList<>();
        failed.forEach((act, reason) -> unsent.add(act + " was not sent: " + reason));
        underWay.forEach(act -> unsent.add(act + " was not sent: its time had not come"));
        waiting.forEach(act -> unsent.add(act + " was not sent: " + switch (act.target()) {
            case Target.OfHandle(String handle) -> "no call got a pending result with handle '" + handle + "'";
            case Target.OfCall(ScriptCall call) -> act instanceof ScriptAct.Complete
                    ? call + " got no pending result"
                    : call + " was not sent itself";
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
                failed.put(act, String.valueOf(problem.getMessage()));
        }));
    }
}
