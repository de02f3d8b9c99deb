package dev.toolfleet.cli.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.cli.fleet.AuditedWrite;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.rest.KnownCalls;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.WireCodec;

/// Cancellation of calls that a gateway knows: one record on `tool.control` and one audit event for each, in one
/// transaction. Workers act on it later.
///
/// @param calls those that have not ended
/// @param ended those that are left alone
record CallCancellation(List<CallView> calls, List<CallView> ended, Author author) {
    /// Largest number of calls of one request.
    static final int MOST = 1_000;
    private static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
    private static final String SOURCE = "/toolfleet/cancel";
    private static final String ACTION = "cancel";

    /// Sorts the calls by whether they have ended; the same call twice counts once.
    ///
    /// @throws Failure (invalid) for no call, or too many
    static CallCancellation of(List<CallView> named, Author author) {
        if (named.isEmpty())
            throw Failure.invalid("no call was named, and nothing was cancelled");
        if (named.size() > MOST)
            throw Failure.invalid(named.size() + " calls are too many for one request, and nothing was cancelled; at"
                    + " most " + MOST + " are cancelled at a time");
        Map<CallId, CallView> once = new LinkedHashMap<>();
        named.forEach(view -> once.put(view.id(), view));
        Map<Boolean, List<CallView>> byEnd = once.values().stream()
                .collect(Collectors.partitioningBy(view -> view.stage() == CallStage.ENDED));
        return new CallCancellation(byEnd.getOrDefault(false, List.of()), byEnd.getOrDefault(true, List.of()),
                author);
    }

    /// Writes what is to be cancelled, and prints it.
    ///
    /// @return 0 also when all calls had ended
    /// @throws Failure (failed) when it was not written, or that is unknown
    int write(RemoteFleet fleet) {
        Instant now = fleet.clock().instant();
        if (!calls.isEmpty())
            new AuditedWrite(fleet, SOURCE, "the cancellation").write(entries(now), now);
        ended.forEach(view -> fleet.terminal().print(named(view) + " has ended before, and was not cancelled"));
        fleet.terminal().print(calls.isEmpty()
                ? "nothing was cancelled"
                : calls.size() == 1
                        ? named(calls.getFirst()) + " is cancelled, and ends with E_TOOL_CANCELLED unless it ends first"
                        : calls.size() + " calls are cancelled, and end with E_TOOL_CANCELLED unless they end first");
        return Failure.SUCCESS;
    }

    List<AuditedWrite.Entry<?>> entries(Instant now) {
        List<AuditedWrite.Entry<?>> entries = new ArrayList<>();
        for (CallView view : calls) {
            entries.add(
                    new AuditedWrite.Entry<>(Topic.CONTROL, EventType.TOOL_CONTROL, view.call().instanceKey(), CANCELS,
                            KnownCalls.cancellation(view, author.by(), author.reason())));
            entries.add(AuditedWrite.Entry.audit(audit(view, now)));
        }
        return entries;
    }

    private AuditEvent audit(CallView view, Instant now) {
        return new AuditEvent(AuditEvent.Kind.OPERATOR, ACTION, author.by(), author.reason(), place(view.id()), null,
                AuditedWrite.audited(view.call()), null, null, null, null, false, null, now);
    }

    private static String named(CallView view) {
        return TextWidth.visible("call " + view.call().id() + " (" + view.call().name() + ", record "
                + place(view.id()) + ")");
    }

    /// Returns the place of a call as the command line takes it.
    static String place(CallId id) {
        return id.partition() + "/" + id.offset();
    }
}
