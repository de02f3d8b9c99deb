package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.AsyncSpec;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Digests;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/// Replies to the records that are published for them: result, error event, pending call, dead letter. Keeps G6: what
/// does not fit into a record, or is no JSON, becomes an error result that says so.
public final class Outcomes {
    private final ResultRecords results;
    private final SideRecords sides;
    private final InstantSource clock;
    private final String helpBaseUrl;

    /// @param helpBaseUrl put before a code to make `helpUrl`; empty for none
    public Outcomes(ResultRecords results, SideRecords sides, InstantSource clock, String helpBaseUrl) {
        this.results = results;
        this.sides = sides;
        this.clock = clock;
        this.helpBaseUrl = helpBaseUrl;
    }

    /// What is published for a call that ended. A reply that cannot be published, for whatever reason, becomes an error
    /// that can.
    Outcome of(CallRun run, Guarded guarded) {
        try {
            return encoded(run, guarded);
        } catch (RuntimeException | StackOverflowError e) {
            // A value that still changes, a part that is missing: code of tools and extensions made it.
            return failed(run, ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The call's answer cannot be published: " + e.getClass().getName()), null);
        }
    }

    private Outcome encoded(CallRun run, Guarded guarded) {
        return switch (guarded.reply()) {
            case ToolReply.Ok(var output) -> switch (results.ok(run, output, guarded.facts())) {
                case ResultRecords.Fits(var record) -> outcome(run, List.of(record));
                case ResultRecords.Unfit(var error) -> failed(run, error, guarded.facts());
            };
            case ToolReply.Pending pending -> pending(run, pending, guarded);
            case ToolReply.Failed(var error) -> failed(run, error, guarded.facts());
        };
    }

    /// What is published for a call that the fleet itself failed to run.
    Outcome broken(Arrival.Call call, Throwable cause) {
        return failed(new CallRun(unidentified(call), clock.millis()), ToolError.of(ErrorCode.E_TOOL,
                "The fleet failed to run the call: " + cause.getClass().getName()), null);
    }

    /// By its record alone, without looking into its arguments.
    private static IdentifiedCall unidentified(Arrival.Call arrival) {
        ToolCall call = arrival.call();
        ToolCall bare = ToolCall.of(call.id(), call.name(), JsonNodeFactory.instance.objectNode(), call.instanceKey());
        return new IdentifiedCall(arrival,
                CallIdentity.of(bare, arrival.position().partition(), arrival.position().offset()),
                Fingerprint.of(bare.name(), bare.args()));
    }

    /// What is published for a record that is no call: the dead letter, and an error result where a caller can be
    /// named.
    Outcome malformed(Arrival.Malformed malformed) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        records.add(sides.deadLetter(malformed));
        ToolCall caller = malformed.caller();
        if (caller != null) {
            Arrival.Call as = new Arrival.Call(malformed.position(), caller, malformed.raw().timestamp(), null,
                    malformed.bytes());
            CallRun run = new CallRun(IdentifiedCall.of(as), clock.millis());
            ToolError error = ToolError.of(ErrorCode.E_CALL_MALFORMED,
                    "The call is not well formed: " + malformed.reason());
            records.addAll(failed(run, error, null).records());
        }
        return new Outcome(malformed.position(), records);
    }

    private Outcome failed(CallRun run, ToolError error, @Nullable GuardFacts facts) {
        RegisteredTool tool = run.tool();
        ToolError told = PublishableError.of(error,
                tool == null ? ErrorText.DEFAULT_LIMIT : tool.errorMessageLimit());
        if (told.helpUrl() == null && !helpBaseUrl.isEmpty())
            told = told.helpAt(helpBaseUrl + told.code());
        return outcome(run, List.of(results.error(run, told, facts), sides.error(run, told)));
    }

    private Outcome pending(CallRun run, ToolReply.Pending pending, Guarded guarded) {
        return switch (results.pending(run, pending, guarded.facts())) {
            case ResultRecords.Unfit(var error) -> failed(run, error, guarded.facts());
            case ResultRecords.Fits(var record) -> {
                ProducerRecord<byte[], byte[]> open = sides.pending(run, pendingCall(run, pending));
                yield open != null
                        ? outcome(run, List.of(record, open))
                        : failed(run, ToolError.of(
                                ErrorCode.E_TOOL_RESULT_TOO_LARGE,
                                "The tool returned a handle, but the call with its arguments "
                                        + "and output is too large to be kept until the handle is completed."),
                                guarded.facts());
            }
        };
    }

    private PendingCall pendingCall(CallRun run, ToolReply.Pending pending) {
        ToolCall call = run.call().arrival().call();
        RegisteredTool tool = run.tool();
        Instant now = clock.instant();
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
                run.call().arrival().position().partition(),
                run.call().arrival().position().offset(), run.catalogDigest(), pending.output(), deadline, heartbeat,
                token == null ? null : Digests.sha256(token), now);
    }

    private static Outcome outcome(CallRun run, List<ProducerRecord<byte[], byte[]>> records) {
        return new Outcome(run.call().arrival().position(), records);
    }
}
