package dev.toolfleet.cli.handle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.handle.CancelTarget.Reason;
import dev.toolfleet.cli.handle.RecentCalls.SeenCall;
import dev.toolfleet.cli.handle.ResultWatch.CallPlace;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// `toolfleet cancel`: finds the calls that a person means, cancels them, and reports the outcome
/// of them.
public final class CallCanceller {

    private static final int WIDEST = 44;

    private final RemoteFleet fleet;
    private final Terminal terminal;
    private final Duration patience;

    /// Cancels calls of this fleet.
    ///
    /// @param patience how long to wait for what becomes of them
    public CallCanceller(RemoteFleet fleet, Duration patience) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
        this.patience = patience;
    }

    /// Cancels the call that waits for a handle.
    ///
    /// @param instance of a call that is not known yet; null when it is
    /// @return 0 when it has ended, now or before, or is not known yet; 1 when it has not ended in time
    public int handle(String handle, @Nullable String instance, Reason why) throws InterruptedException {
        return switch (HandleViewer.read(fleet, handle)) {
            case HandleState.Unknown _ -> unknown(handle, instance, why);
            case HandleState.Ended ended -> {
                terminal.print("handle '" + handle + "' has ended " + fleet.view().age(ended.endedAt()) + " ago"
                        + ended.result().map(result -> ": " + HandleText.outcome(result, terminal.width()))
                                .orElse("")
                        + "; nothing was cancelled");
                yield Failure.SUCCESS;
            }
            case HandleState.Open open -> open(open.call(), instance, why);
        };
    }

    /// Cancels calls that are named by their ids.
    ///
    /// @return 0 when all have ended, now or before, or are not known yet; 1 when there is no such call, or one has not
    /// ended in time
    /// @throws Failure (invalid) when the ids mean several calls that may not belong together
    public int calls(CancelTarget target, Reason why) throws InterruptedException {
        List<SeenCall> seen;
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan(progress);
                HandleReader reader = fleet.handles(progress)) {
            seen = new RecentCalls(scan, reader, fleet.topics()).find(target, fleet.clock().instant());
        }
        List<SeenCall> live = seen.stream().filter(call -> !call.hasEnded()).toList();
        if (seen.isEmpty())
            return none(target, why);
        if (live.isEmpty()) {
            terminal.print(table(seen));
            terminal.print("nothing was cancelled: " + (seen.size() == 1 ? "it has" : "all have") + " ended");
            return Failure.SUCCESS;
        }
        if (groups(target, live) > 1) {
            table(live).forEach(terminal::note);
            throw Failure.invalid(live.size() + " calls match and nothing was cancelled; say which with --step, --agent"
                    + " or --turn");
        }
        return end(live, target.only(live.getFirst().call(), why));
    }

    /// A call by its id is one; a step's calls belong together.
    private static long groups(CancelTarget target, List<SeenCall> live) {
        return target.toolCallId() != null
                ? live.size()
                : live.stream().map(SeenCall::call)
                        .map(call -> Objects.toString(call.agentName()) + "\n" + call.turnId()).distinct().count();
    }

    private int none(CancelTarget target, Reason why) throws InterruptedException {
        if (target.stepId() == null) {
            throw Failure.failed("there is no " + target.text() + " within a day; with --step a cancellation also holds"
                    + " for calls that come later");
        }
        send(target.all(why));
        terminal.print("there is no " + target.text() + " yet; it will end unstarted if it comes within a day");
        return Failure.SUCCESS;
    }

    private int unknown(String handle, @Nullable String instance, Reason why) throws InterruptedException {
        if (instance == null) {
            throw Failure.failed("no call is pending under handle '" + handle + "', and none has ended under it within"
                    + " about a week; if its call is still to come, name its instance with --instance");
        }
        send(new CancelCall(instance, null, null, handle, why.by(), why.reason(), null, null));
        terminal.print("no call is pending under handle '" + handle
                + "' yet; it will be cancelled if it comes within an hour");
        return Failure.SUCCESS;
    }

    private int open(PendingCall pending, @Nullable String instance, Reason why) throws InterruptedException {
        ToolCall call = pending.call();
        if (instance != null && !instance.equals(call.instanceKey())) {
            throw Failure.invalid("handle '" + pending.handle() + "' belongs to instance '" + call.instanceKey()
                    + "', not to --instance " + instance);
        }
        CallPlace place = new CallPlace(pending.partition(), pending.callOffset());
        return end(List.of(new SeenCall(place, call, pending.createdAt(), Optional.empty())), new CancelCall(
                call.instanceKey(), null, null, pending.handle(), why.by(), why.reason(), null, null));
    }

    private int end(List<SeenCall> live, CancelCall cancel) throws InterruptedException {
        Map<CallPlace, ToolResult> results;
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan()) {
            ResultWatch watch = new ResultWatch(scan, fleet.name(Topic.RESULT),
                    live.stream().map(SeenCall::place).toList());
            send(cancel);
            progress.doing("waiting for " + live.size() + (live.size() == 1 ? " call" : " calls") + " to end");
            results = watch.await(patience);
        }
        List<SeenCall> after = live.stream().map(call -> Optional.ofNullable(results.get(call.place()))
                .map(call::answered).orElse(call)).toList();
        terminal.print(table(after));
        long open = after.stream().filter(call -> !call.hasEnded()).count();
        if (open > 0) {
            throw Failure.failed(open + " of " + after.size() + " calls have not ended within "
                    + DurationText.text(patience)
                    + "; the cancellation holds for a day, for the worker that has the call or gets it: look whether one"
                    + " runs");
        }
        return Failure.SUCCESS;
    }

    private void send(CancelCall cancel) throws InterruptedException {
        try (ToolFleetClient client = ToolFleetClient.open(fleet.client())) {
            RemoteFleet.get(client.cancel(cancel));
        }
    }

    private List<String> table(List<SeenCall> calls) {
        View view = fleet.view();
        Grid grid = view.grid("call", "tool", "agent", "turn", "step", "called", "state");
        for (SeenCall seen : calls) {
            ToolCall call = seen.call();
            grid.row(View.cell(call.id(), WIDEST), View.cell(call.name(), WIDEST), View.cell(call.agentName(), WIDEST),
                    View.cell(call.turnId(), WIDEST), View.cell(call.stepId(), WIDEST), view.age(seen.at()) + " ago",
                    seen.state());
        }
        return view.lines(grid);
    }
}
