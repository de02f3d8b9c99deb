package dev.toolfleet.cli.label;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.toolfleet.cli.fleet.AuditedWrite;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.label.LabelReader.Found;
import dev.toolfleet.cli.label.LabelReader.Labels;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet labels`: shows the labels of instances, and clears them.
public final class LabelOperator {
    private static final WireCodec<LabelOrder> ORDERS = WireCodec.of(LabelOrder.class);
    private static final WireCodec<ReceivedLabel> RECEIVED = WireCodec.of(ReceivedLabel.class);
    private static final String SOURCE = "/toolfleet/labels";
    private static final int WIDEST = 40;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Labels of this fleet.
    public LabelOperator(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Author of an order, and the reason.
    public record Reason(String by, @Nullable String reason) {}

    /// Prints the labels.
    ///
    /// @param instance whose labels; empty for all instances
    public int show(Optional<String> instance, boolean json) {
        Labels found = read(instance);
        if (json) {
            found.own().forEach(each -> terminal.print(ShownJson.line(json(each))));
            found.received().forEach(each -> terminal.print(ShownJson.line(json(each))));
        } else if (found.isEmpty()) {
            terminal.print(instance.map(one -> "instance '" + one + "' has no labels").orElse("no instance has labels")
                    + "; a result of a tool with 'adds' or with the annotation openWorld adds one");
        } else {
            View view = fleet.view();
            Grid grid = view.grid("INSTANCE", "LABEL", "ADDED", "BY", "CALL", "FROM");
            found.own().forEach(each -> grid.row(View.cell(each.label().instanceKey(), WIDEST),
                    each.label().added().label(), view.age(each.at()) + " ago",
                    View.cell(each.label().added().toolName(), WIDEST),
                    View.cell(each.label().added().toolCallId(), WIDEST), ""));
            found.received().forEach(each -> row(grid, each));
            terminal.print(view.lines(grid));
        }
        return Failure.SUCCESS;
    }

    private static void row(Grid grid, ReceivedLabel received) {
        AddedLabel added = received.added();
        grid.row(View.cell(received.instanceKey(), WIDEST), added == null ? "all of its" : added.label(), "",
                added == null ? "" : View.cell(added.toolName(), WIDEST),
                added == null ? "" : View.cell(added.toolCallId(), WIDEST), View.cell(received.from(), WIDEST));
    }

    /// Clears labels of an instance, as they are now.
    ///
    /// @param labels the labels; empty for all
    /// @return 0 when the order was given
    /// @throws Failure (failed) when the instance does not have them all; then nothing is written
    public int clear(String instance, List<String> labels, Reason why) {
        Labels all = read(Optional.of(instance));
        if (all.isEmpty())
            throw Failure.failed("instance '" + instance + "' has no labels, so nothing was cleared; toolfleet labels"
                    + " show lists those of all instances");
        Set<String> absent = new TreeSet<>(labels);
        absent.removeAll(names(all));
        if (!absent.isEmpty())
            throw Failure.failed("instance '" + instance + "' has no label " + String.join(", ", absent)
                    + ", so nothing was cleared; it has: " + String.join(", ", names(all))
                    + ". Name those, or clear all"
                    + " with toolfleet labels clear " + instance + " --reason WHY");
        Labels found = all.named(labels);
        write(instance, found, why);
        return Failure.SUCCESS;
    }

    /// Clears all labels that an instance has now, if it has any.
    public void clearAny(String instance, Reason why) {
        Labels found = read(Optional.of(instance));
        if (found.isEmpty())
            terminal.print("instance '" + instance + "' has no labels");
        else
            write(instance, found, why);
    }

    private void write(String instance, Labels found, Reason why) {
        Instant now = fleet.clock().instant();
        List<AuditedWrite.Entry<?>> entries = new ArrayList<>();
        if (!found.own().isEmpty())
            entries.add(new AuditedWrite.Entry<>(Topic.OPERATOR, EventType.TOOL_CONTROL_LABELS, instance, ORDERS,
                    new LabelOrder(instance, LabelOrder.CLEAR,
                            found.own().stream().mapToLong(each -> each.label().count()).max().orElseThrow(),
                            found.own().stream().map(each -> each.label().added().label()).distinct().toList(),
                            why.by(), why.reason())));
        for (ReceivedLabel each : found.received())
            entries.add(new AuditedWrite.Entry<>(Topic.AGENT_LABEL, EventType.AGENT_LABEL, each.clearedKey(), RECEIVED,
                    each.cleared()));
        entries.add(AuditedWrite.Entry.audit(audit(instance, why, found, now)));
        new AuditedWrite(fleet, SOURCE, "the order").write(entries, now);
        terminal.print("cleared of instance '" + instance + "': " + String.join(", ", names(found))
                + ". A result or a message that comes from now on may add them again.");
    }

    private static Set<String> names(Labels found) {
        Set<String> names = new TreeSet<>();
        found.own().forEach(each -> names.add(each.label().added().label()));
        found.received().forEach(each -> names.add(each.added() == null
                ? "all that it had from '" + each.from() + "'"
                : each.added().label()));
        return names;
    }

    private Labels read(Optional<String> instance) {
        fleet.check(Topic.JOURNAL, Topic.OPERATOR, Topic.AGENT_LABEL);
        try (ProgressNote progress = fleet.progress(); TopicScan scan = fleet.scan(progress)) {
            return new LabelReader(fleet).all(scan, instance);
        }
    }

    private static AuditEvent audit(String instance, Reason why, Labels found, Instant now) {
        List<AddedLabel> labels = Stream.concat(found.own().stream().map(each -> each.label().added()),
                found.received().stream().map(ReceivedLabel::added).filter(Objects::nonNull)).toList();
        return new AuditEvent(AuditEvent.Kind.OPERATOR, "labels-cleared", why.by(), why.reason(), instance, null, null,
                null, null, null, null, false, null, null, null, labels, null, now);
    }

    private static ObjectNode json(ReceivedLabel received) {
        AddedLabel added = received.added();
        ObjectNode json = Json.MAPPER.createObjectNode().put("instanceKey", received.instanceKey())
                .put("label", added == null ? null : added.label()).put("receivedFrom", received.from())
                .put("eventId", received.eventId());
        return added == null
                ? json
                : json.put("toolName", added.toolName()).put("toolCallId", added.toolCallId())
                        .put("callOffset", added.callOffset()).put("from", added.instanceKey());
    }

    private static ObjectNode json(Found found) {
        AddedLabel added = found.label().added();
        return Json.MAPPER.createObjectNode().put("instanceKey", found.label().instanceKey())
                .put("label", added.label()).put("count", found.label().count()).put("at", found.at().toString())
                .put("toolName", added.toolName()).put("toolCallId", added.toolCallId())
                .put("callOffset", added.callOffset()).put("from", added.instanceKey());
    }
}
