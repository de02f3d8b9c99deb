package dev.toolfleet.cli.explain;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.handle.ResultWatch;
import dev.toolfleet.cli.handle.ResultWatch.CallPlace;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// `toolfleet lane`: shows what is in an instance's lane, and helps it past a call.
public final class LaneOperator {
    private final RemoteFleet fleet;
    private final Terminal terminal;
    private final LiveCalls workers;

    /// Lanes of this fleet.
    ///
    /// @param workers where to ask workers; empty to ask the members of the group
    public LaneOperator(RemoteFleet fleet, List<URI> workers) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
        this.workers = HttpWorkers.of(fleet.config(), workers);
    }

    /// Which call of the lane.
    ///
    /// @param call its id; null for the one that holds the lane
    /// @param record its partition and offset; null when the id names it
    public record Which(@Nullable String call, @Nullable String record) {}

    /// Author of an order, and the reason.
    public record Reason(String by, @Nullable String reason) {}

    /// A call that has not ended.
    private record Entry(RecordedCall call, String state, boolean skipped) {}

    /// Calls of a lane, the oldest first.
    private record Lane(List<Entry> entries, CallSnapshot.Live live) {}

    /// Prints the lane.
    public int show(String instance, boolean json) throws InterruptedException {
        Lane lane = read(instance);
        if (json) {
            lane.entries().forEach(entry -> terminal.print(ShownJson.line(ExplainJson.call(entry.call())
                    .put("state", entry.state()).put("skipped", entry.skipped()))));
        } else if (lane.entries().isEmpty()) {
            terminal.print("nothing is in the lane of instance '" + instance
                    + "'; calls that wait for a handle or a person hold no lane: toolfleet handles --instance "
                    + VerdictText.quoted(instance));
        } else {
            terminal.print(table(lane.entries()));
        }
        if (lane.live().note() != null)
            terminal.note(lane.live().note());
        return Failure.SUCCESS;
    }

    /// Gives an order.
    ///
    /// @param patience how long to wait until a failed call has ended
    /// @return 0 when the order was given, and a failed call has ended
    public int order(String instance, LaneOrder.Order what, Which which, Reason why, Duration patience)
            throws InterruptedException {
        RecordedCall call = which.record() == null
                ? chosen(instance, which, read(instance))
                : recorded(instance, which.record());
        LaneOrder order = new LaneOrder(instance, what, call.partition(), call.offset(), why.by(), why.reason());
        if (what == LaneOrder.Order.SKIP) {
            new OrderWriter(fleet).write(order, call.call(), fleet.clock().instant());
            terminal.print("the lane of instance '" + instance + "' goes on past " + named(call)
                    + ", which runs on beside it; its result comes when it comes. This holds for a day.");
            return Failure.SUCCESS;
        }
        return fail(order, call, patience);
    }

    private int fail(LaneOrder order, RecordedCall call, Duration patience) throws InterruptedException {
        CallPlace place = new CallPlace(call.partition(), call.offset());
        try (ProgressNote progress = fleet.progress(); TopicScan scan = fleet.scan(progress)) {
            ResultWatch watch = new ResultWatch(scan, fleet.name(Topic.RESULT), List.of(place));
            new OrderWriter(fleet).write(order, call.call(), fleet.clock().instant());
            Map<CallPlace, ToolResult> results = watch.await(patience);
            ToolResult result = results.get(place);
            if (result == null) {
                throw Failure.failed(named(call) + " has not ended within " + DurationText.text(patience)
                        + "; the order holds for a day, for the worker that has the call or gets it: look whether one"
                        + " runs (toolfleet explain --record " + call.place() + ")");
            }
            terminal.print(named(call) + " has ended: "
                    + (result.error() == null ? "ok" : TextWidth.visible(result.error().code())));
        }
        return Failure.SUCCESS;
    }

    private RecordedCall recorded(String instance, String record) {
        try (ProgressNote progress = fleet.progress(); TopicScan scan = fleet.scan(progress)) {
            RecordedCall call = CallExplainer.at(record, new CallFinder(scan, fleet.topics()));
            if (!call.call().instanceKey().equals(instance))
                throw Failure.invalid("record " + record + " is a call of instance '" + call.call().instanceKey()
                        + "', not of '" + instance + "'");
            return call;
        }
    }

    private RecordedCall chosen(String instance, Which which, Lane lane) {
        List<Entry> fitting = lane.entries().stream()
                .filter(entry -> which.call() == null
                        ? !entry.skipped()
                        : entry.call().call().id().equals(which.call()))
                .toList();
        if (fitting.isEmpty())
            throw Failure.failed(which.call() == null
                    ? "nothing holds the lane of instance '" + instance + "'"
                    : "no call '" + which.call() + "' of instance '" + instance + "' is in its lane: toolfleet explain "
                            + which.call() + " says where it is");
        if (which.call() != null && fitting.size() > 1) {
            table(fitting).forEach(terminal::note);
            throw Failure.invalid(fitting.size() + " calls match and nothing was ordered; say which with --record");
        }
        return fitting.getFirst().call();
    }

    private Lane read(String instance) throws InterruptedException {
        fleet.check(CallExplainer.READ);
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan(progress);
                HandleReader handles = fleet.handles(progress)) {
            GroupState group = GroupState.of(fleet.config());
            CallSnapshot.Live live = workers.of(instance, group);
            Evidence evidence = new Evidence(scan, handles, fleet.topics());
            List<Entry> entries = new ArrayList<>();
            Instant now = fleet.clock().instant();
            for (TopicPartition partition : scan.partitions(fleet.name(Topic.CALL))) {
                for (RecordedCall call : evidence.unfinished(instance, partition.partition(), Long.MAX_VALUE, group))
                    entries.add(entry(call, live, new InterventionReader(scan, fleet.topics(), call), now));
            }
            return new Lane(entries, live);
        }
    }

    private static Entry entry(RecordedCall call, CallSnapshot.Live live, InterventionReader spoken, Instant now) {
        Optional<LiveCall> inWorker = live.of(call);
        boolean skipped = spoken.about(Optional.empty()).ordered()
                .filter(said -> said.order().order() == LaneOrder.Order.SKIP).isPresent();
        return new Entry(call, inWorker.map(each -> StageText.text(each, now) + " on " + each.worker())
                .orElse("has not ended"), skipped);
    }

    private List<String> table(List<Entry> entries) {
        View view = fleet.view();
        Grid grid = view.grid("record", "call", "tool", "step", "called", "lane", "state");
        for (Entry entry : entries) {
            ToolCall call = entry.call().call();
            grid.row(entry.call().place(), View.cell(call.id(), CallExplainer.WIDEST),
                    View.cell(call.name(), CallExplainer.WIDEST), View.cell(call.stepId(), CallExplainer.WIDEST),
                    view.age(entry.call().at()) + " ago", entry.skipped() ? "skipped" : "in it", entry.state());
        }
        return view.lines(grid);
    }

    private static String named(RecordedCall call) {
        return TextWidth.visible("call " + call.call().id() + " (" + call.call().name() + ", record " + call.place()
                + ")");
    }
}
