package dev.toolfleet.worker.record;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.bundle.AsyncSpec;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Digests;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.ApprovalQuestion;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Records of calls that finish later. Pure.
public final class PendingRecords {

    private PendingRecords() {}

    /// The entry on the journal.
    public static OpenHandle open(CallFacts run, PendingCall pending) {
        ToolCall call = run.call().arrival().call();
        return new OpenHandle(run.call().identity().text(), run.call().fingerprint(), pending.handle(),
                run.call().arrival().position().offset(), call.instanceKey(), call.id(), call.agentName(),
                call.turnId(), call.stepId(), Instant.ofEpochMilli(run.call().arrival().appendedAt()),
                pending.kind() == PendingCall.Kind.ASYNC ? run.ref() : null,
                pending.approval() == null ? null : pending.approval().fingerprint());
    }

    /// Makes the record of a call that becomes pending.
    ///
    /// @param hidden places of a question that a person is not shown; null when they are not counted
    public static PendingCall of(CallFacts run, ToolReply.Pending pending, @Nullable Integer hidden, Instant now) {
        ApprovalQuestion asking = run.asking();
        return asking != null && asking.isAskedBy(pending)
                ? question(run, pending, asking.kind(),
                        asking.approval().hiding(hidden == null ? null : hidden + asking.unread()),
                        asking.until(), now)
                : work(run, pending, now);
    }

    /// No tool has run, so no inquiry about the handle goes to a module. The declaration decides about sensitive data.
    private static PendingCall question(CallFacts run, ToolReply.Pending pending, PendingCall.Kind kind,
            Approval asked, Instant until, Instant now) {
        return new PendingCall(pending.handle(), kind, run.call().arrival().call(),
                run.call().arrival().position().partition(), run.call().arrival().position().offset(),
                run.catalogDigest(), pending.output(), until, null, null, now, origin(run), asked);
    }

    private static CallOrigin origin(CallFacts run) {
        TraceContext trace = run.context();
        return new CallOrigin(run.call().fingerprint(), run.attempt(), run.ref(),
                Instant.ofEpochMilli(run.call().arrival().appendedAt()), trace == null ? null : trace.traceparent(),
                trace == null ? null : trace.tracestate());
    }

    private static PendingCall work(CallFacts run, ToolReply.Pending pending, Instant now) {
        ToolCall call = run.call().arrival().call();
        RegisteredTool tool = run.tool();
        Duration timeout = AsyncSpec.DEFAULT_TIMEOUT;
        Duration heartbeat = pending.heartbeatTimeout();
        if (tool != null && tool.export().execution().async().isPresent()) {
            AsyncSpec async = tool.export().execution().async().get();
            timeout = async.timeout();
            if (heartbeat == null)
                heartbeat = async.heartbeatTimeout().orElse(null);
        }
        Instant deadline = call.deadline() == null ? now.plus(timeout) : call.deadline();
        String token = pending.token();
        return new PendingCall(pending.handle(), PendingCall.Kind.ASYNC, call,
                run.call().arrival().position().partition(), run.call().arrival().position().offset(),
                run.catalogDigest(), pending.output(), deadline, heartbeat,
                token == null ? null : Digests.sha256(token),
                now, origin(run), null, pending.target());
    }

    /// The wait of a call that an earlier owner ran, at the record by which it is known here. Otherwise: the call ran in a
    /// former log of the partition, a duplicate of it lies in the present one, and the end of the wait names a record that is
    /// gone: the duplicate has no final result.
    static PendingCall handedOver(CallFacts run, PendingCall said, @Nullable JsonNode output) {
        CallOrigin origin = said.origin();
        Arrival.Call arrival = run.call().arrival();
        return new PendingCall(said.handle(), said.kind(), arrival.call(), arrival.position().partition(),
                arrival.position().offset(), said.catalogDigest(), output, said.deadline(), said.heartbeatTimeout(),
                said.tokenHash(), said.createdAt(),
                origin == null
                        ? null
                        : new CallOrigin(origin.fingerprint(), origin.attempt(), origin.tool(),
                                Instant.ofEpochMilli(arrival.appendedAt()), origin.traceparent(), origin.tracestate()),
                said.approval(), said.target());
    }

    /// The error of a call that fits into no record while it waits.
    static ToolError tooLarge(PendingCall call) {
        return switch (call.kind()) {
            case ASYNC, UNKNOWN -> ToolError.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE,
                    "The tool returned a handle, but the call with its arguments "
                            + "and output is too large to be kept until the handle is completed.");
            case APPROVAL, AUTHORIZATION -> ToolError.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE,
                    "A person has to approve or authorize the call, but with its arguments it is too large to be kept until then;"
                            + " it was not started.")
                    .suggesting("The call did not happen. Call again with smaller arguments.");
        };
    }
}
