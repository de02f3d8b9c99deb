package dev.toolfleet.cli.explain;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.cli.fleet.AuditedWrite;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;

/// Writer of orders to lanes, each with its audit event.
record OrderWriter(RemoteFleet fleet) {
    private static final WireCodec<LaneOrder> ORDERS = WireCodec.of(LaneOrder.class);
    private static final String SOURCE = "/toolfleet/lane";

    /// @throws Failure (failed) when it was not written, or that is unknown
    void write(LaneOrder order, ToolCall call, Instant now) {
        new AuditedWrite(fleet, SOURCE, "the order").write(List.of(
                new AuditedWrite.Entry<>(Topic.OPERATOR, EventType.TOOL_CONTROL_LANE, order.instanceKey(), ORDERS,
                        order),
                AuditedWrite.Entry.audit(audit(order, call, now))), now);
    }

    static AuditEvent audit(LaneOrder order, ToolCall call, Instant now) {
        return new AuditEvent(AuditEvent.Kind.OPERATOR, "lane-" + order.order().text(), order.by(), order.reason(),
                order.instanceKey(), null, AuditedWrite.audited(call), null, null, null, null, false, null, now);
    }
}
