package dev.toolfleet.cli.explain;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// `toolfleet explain`: finds the call that a person means, and explains where it is and why.
public final class CallExplainer {
    static final int WIDEST = 40;
    private static final int MAX_MATCHES = 20;

    private final RemoteFleet fleet;
    private final Terminal terminal;
    private final LiveCalls workers;

    /// Explains calls of this fleet.
    ///
    /// @param workers where to ask workers; empty to ask the members of the group
    public CallExplainer(RemoteFleet fleet, List<URI> workers) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
        this.workers = HttpWorkers.of(fleet.config(), workers);
    }

    /// Name of a call, as a person gives it.
    ///
    /// @param name a call's id, its id at gateways, or a handle; null with a `record`
    /// @param record partition and offset of its record, as `3/4711`
    /// @param back how far to look back for an id
    public record Named(@Nullable String name, @Nullable String instance, @Nullable String step,
            @Nullable String record, Duration back) {}

    /// Topics that are read. A principal without access to `tool.call.resumed` gets the other facts.
    static final Set<Topic> READ = EnumSet
            .complementOf(EnumSet.of(Topic.COMPLETION, Topic.CALL_RESUMED, Topic.AGENT_EVENT));

    /// Explains one call.
    ///
    /// @return 0 when it was found and explained
    /// @throws Failure (failed) when there is no such call; (invalid) when several match
    public int explain(Named named, boolean json) throws InterruptedException {
        fleet.check(READ);
        CallSnapshot facts;
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan(progress);
                HandleReader handles = fleet.handles(progress)) {
            RecordedCall call = find(named, new CallFinder(scan, fleet.topics()), handles);
            // The brokers' word on who is done with what comes first: what ends meanwhile then has its result.
            GroupState group = GroupState.of(fleet.config());
            CallSnapshot.Live live = workers.of(call.call().instanceKey(), group);
            facts = new Evidence(scan, handles, fleet.topics()).of(call, group, live, fleet.clock().instant());
        }
        VerdictText.Said said = new VerdictText(facts, Terminal.command()).of(CallVerdict.of(facts));
        if (json)
            terminal.print(ShownJson.pretty(ExplainJson.of(facts, said)));
        else
            lines(facts, said);
        return Failure.SUCCESS;
    }

    private RecordedCall find(Named named, CallFinder search, HandleReader handles) {
        if (named.record() != null)
            return at(named.record(), search);
        String name = String.valueOf(named.name());
        Optional<RecordedCall> byHandle = byHandle(handles.read(name));
        if (byHandle.isPresent() && fits(named, byHandle.get().call()))
            return byHandle.get();
        Optional<RecordedCall> byGatewayId = byGatewayId(name, search);
        if (byGatewayId.isPresent() && fits(named, byGatewayId.get().call()))
            return byGatewayId.get();
        CallFinder.Wanted wanted = new CallFinder.Wanted(name, named.instance(), named.step());
        List<RecordedCall> found = search.find(wanted, fleet.clock().instant(), named.back());
        if (found.isEmpty())
            throw Failure.failed("there is no " + wanted.text() + " within " + DurationText.coarse(named.back())
                    + ", and no handle '" + name + "'; --since looks further back");
        if (found.size() > 1) {
            matches(found).forEach(terminal::note);
            throw Failure.invalid(found.size() + " calls match; say which with --instance, --step or --record");
        }
        return found.getFirst();
    }

    private static boolean fits(Named named, ToolCall call) {
        return (named.instance() == null || named.instance().equals(call.instanceKey()))
                && (named.step() == null || named.step().equals(call.stepId()));
    }

    private static Optional<RecordedCall> byHandle(HandleState state) {
        return switch (state) {
            case HandleState.Unknown _ -> Optional.empty();
            case HandleState.Open open -> Optional.of(of(open.call()));
            case HandleState.Ended ended -> Optional.of(of(ended.call()));
        };
    }

    /// A gateway's id of a call is the place of its record. Models do not name calls so.
    private static Optional<RecordedCall> byGatewayId(String name, CallFinder search) {
        try {
            CallId id = CallId.parse(name);
            return search.at(id.partition(), id.offset());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static RecordedCall of(PendingCall pending) {
        return new RecordedCall(pending.partition(), pending.callOffset(), pending.call().bare(),
                pending.origin() == null ? pending.createdAt() : pending.origin().calledAt());
    }

    /// The call of a record.
    static RecordedCall at(String record, CallFinder search) {
        String[] parts = record.split("/", -1);
        try {
            if (parts.length == 2) {
                return search.at(Integer.parseInt(parts[0]), Long.parseLong(parts[1]))
                        .orElseThrow(() -> Failure.failed("there is no call at record " + record
                                + " of tool.call: the topic keeps calls for a week"));
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw Failure.invalid("--record " + record + " is not a partition and an offset, such as 3/4711");
    }

    private List<String> matches(List<RecordedCall> found) {
        View view = fleet.view();
        Grid grid = view.grid("call", "tool", "instance", "step", "called", "record");
        found.reversed().stream().limit(MAX_MATCHES)
                .forEach(each -> grid.row(View.cell(each.call().id(), WIDEST), View.cell(each.call().name(), WIDEST),
                        View.cell(each.call().instanceKey(), WIDEST), View.cell(each.call().stepId(), WIDEST),
                        view.age(each.at()) + " ago", each.place()));
        return view.lines(grid);
    }

    private void lines(CallSnapshot facts, VerdictText.Said said) {
        Style style = new Style(terminal.colour());
        ToolCall call = facts.call().call();
        terminal.print(style.paint(Tone.BOLD, TextWidth.visible("Call " + call.id() + " (" + call.name() + ", instance "
                + call.instanceKey() + ")")) + " " + TextWidth.visible(said.headline())
                + (said.headline().endsWith(".") ? "" : "."));
        terminal.print("");
        Instant begin = facts.call().at();
        for (Timeline.Event event : Timeline.of(facts)) {
            terminal.print(TextWidth.left(VerdictText.time(event.at()), 22)
                    + TextWidth.left(after(begin, event.at()), 13) + TextWidth.left(event.topic(), 18)
                    + TextWidth.visible(event.what()));
        }
        if (!said.next().isEmpty()) {
            terminal.print("");
            said.next().forEach(next -> terminal.print("→ " + TextWidth.visible(next)));
        }
        if (facts.live().note() != null)
            terminal.note(facts.live().note());
    }

    private static String after(Instant begin, Instant at) {
        Duration distance = Duration.between(begin, at);
        return distance.isNegative() ? "−" + DurationText.text(distance.negated()) : "+" + DurationText.text(distance);
    }
}
