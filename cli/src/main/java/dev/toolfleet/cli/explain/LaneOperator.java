package dev.toolfleet.cli.explain;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.explain.CallFacts.LiveCall;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.handle.HandleText;
import dev.toolfleet.cli.handle.ResultWatch;
import dev.toolfleet.cli.handle.ResultWatch.CallPlace;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// `toolfleet lane`: shows what is in an instance's lane, and helps it past a call.
public final class LaneOperator {
    private final FleetConfig fleet;
    private final Terminal terminal;
    private final InstantSource clock;
    private final LiveCalls workers;

    /// Lanes of this fleet.
    ///
    /// @param workers where to ask workers; empty to ask the members of the group
    public LaneOperator(FleetConfig fleet, Terminal terminal, InstantSource clock, List<URI> workers) {
        this.fleet = fleet;
        this.terminal = terminal;
        this.clock = clock;
        this.workers = HttpWorkers.of(fleet, workers);
    }

    /// Which call of the lane.
    ///
    /// @param call its id; null for the one that holds the lane
    /// @param record its partition and offset; null when the id says it
    public record Which(@Nullable String call, @Nullable String record) {}

    /// Who gives an order, and why.
    public record Reason(String by, @Nullable String reason) {}

    /// A call that has not ended.
    private record Entry(RecordedCall call, String state, boolean skipped) {}

    /// What the lane holds, the oldest first.
    private record Lane(List<Entry> entries, CallFacts.Live live) {}

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
            table(lane.entries()).forEach(terminal::print);
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
        RecordedCall call = chosen(instance, which, read(instance));
        LaneOrder order = new LaneOrder(instance, what, call.partition(), call.offset(), why.by(), why.reason());
        if (what == LaneOrder.Order.SKIP) {
            new OrderWriter(fleet).write(order, call.call(), clock.instant());
            terminal.print("the lane of instance '" + instance + "' goes on past " + named(call)
                    + ", which runs on beside it; its result comes when it comes. This holds for a day.");
            return Failure.SUCCESS;
        }
        return fail(order, call, patience);
    }

    private int fail(LaneOrder order, RecordedCall call, Duration patience) throws InterruptedException {
        CallPlace place = new CallPlace(call.partition(), call.offset());
        try (ProgressNote progress = new ProgressNote(terminal); TopicScan scan = CallExplainer.scan(fleet, progress)) {
            ResultWatch watch = new ResultWatch(scan, fleet.topics().topics().name(Topic.RESULT), List.of(place));
            new OrderWriter(fleet).write(order, call.call(), clock.instant());
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

    private RecordedCall chosen(String instance, Which which, Lane lane) {
        String record = which.record();
        if (record != null) {
            try (ProgressNote progress = new ProgressNote(terminal); TopicScan scan = CallExplainer.scan(fleet, progress)) {
                RecordedCall call = CallExplainer.at(record, new CallFinder(scan, fleet.topics().topics()));
                if (!call.call().instanceKey().equals(instance))
                    throw Failure.invalid("record " + record + " is a call of instance '" + call.call().instanceKey()
                            + "', not of '" + instance + "'");
                return call;
            }
        }
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
        new FleetTopics(fleet.topics().topics(), fleet.kafka().clientProperties(), FleetTopics.DEFAULT_TIMEOUT)
                .check(CallExplainer.READ);
        try (ProgressNote progress = new ProgressNote(terminal);
                TopicScan scan = CallExplainer.scan(fleet, progress);
                HandleReader handles = HandleReader.open(RemoteFleet.client(fleet), TopicScan.Gauge.SILENT)) {
            GroupState group = GroupState.of(fleet);
            CallFacts.Live live = workers.of(instance, group);
            Evidence evidence = new Evidence(scan, handles, fleet.topics().topics());
            List<Entry> entries = new ArrayList<>();
            Instant now = clock.instant();
            for (TopicPartition partition : scan.partitions(fleet.topics().topics().name(Topic.CALL))) {
                for (RecordedCall call : evidence.unfinished(instance, partition.partition(), Long.MAX_VALUE, group))
                    entries.add(entry(call, live, new InterventionReader(scan, fleet.topics().topics(), call), now));
            }
            return new Lane(entries, live);
        }
    }

    private static Entry entry(RecordedCall call, CallFacts.Live live, InterventionReader spoken, Instant now) {
        Optional<LiveCall> inWorker = live.of(call);
        boolean skipped = spoken.about(Optional.empty()).ordered()
                .filter(said -> said.order().order() == LaneOrder.Order.SKIP).isPresent();
        return new Entry(call, inWorker.map(each -> StageText.text(each, now) + " on " + each.worker())
                .orElse("has not ended"), skipped);
    }

    private List<String> table(List<Entry> entries) {
        Grid grid = new Grid(terminal.width(), "record", "call", "tool", "step", "called", "lane", "state");
        Instant now = clock.instant();
        for (Entry entry : entries) {
            ToolCall call = entry.call().call();
            grid.row(entry.call().place(), ShownJson.brief(call.id(), 40), ShownJson.brief(call.name(), 40),
                    call.stepId() == null ? "–" : ShownJson.brief(call.stepId(), 40),
                    DurationText.coarse(Duration.between(entry.call().at(), now)) + " ago",
                    entry.skipped() ? "skipped" : "in it", entry.state());
        }
        return grid.lines(new Style(terminal.colour()));
    }

    private static String named(RecordedCall call) {
        return TextWidth.visible("call " + call.call().id() + " (" + call.call().name() + ", record " + call.place()
                + ")");
    }
}
