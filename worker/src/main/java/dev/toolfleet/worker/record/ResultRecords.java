package dev.toolfleet.worker.record;

import java.time.InstantSource;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.Timing;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Results as records of `tool.result`, in the partition of their call, encoded and measured. Thread-safe.
public final class ResultRecords {
    private static final WireCodec<ToolResult> CODEC = WireCodec.of(ToolResult.class);

    /// A result that may or may not be publishable.
    sealed interface Encoded {}

    /// It is.
    record Fits(ProducerRecord<byte[], byte[]> record) implements Encoded {}

    /// It is not, and why.
    record Unfit(ToolError error) implements Encoded {}

    private final RecordWriter writer;
    private final InstantSource clock;
    private final int maxBytes;

    /// @param maxBytes the largest value of a result; headers and framing come on top
    public ResultRecords(RecordWriter writer, InstantSource clock, int maxBytes) {
        this.writer = writer;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    /// The largest value of a record.
    int maxBytes() {
        return maxBytes;
    }

    Encoded ok(CallFacts run, JsonNode output, @Nullable GuardFacts facts, LoopEnd loop) {
        return encode(run, result(run, new Answer(ResultStatus.OK, output, null, null), facts).noticed(loop.notice()),
                loop);
    }

    Encoded pending(CallFacts run, ToolReply.Pending pending, @Nullable GuardFacts facts) {
        return encode(run,
                result(run, new Answer(ResultStatus.PENDING, pending.output(), pending.handle(), null), facts),
                LoopEnd.NONE);
    }

    /// An earlier result of the call, for a duplicate of it: the same but for where it was asked for and when.
    ProducerRecord<byte[], byte[]> again(CallFacts run, ToolResult earlier) {
        run.trace().answers(earlier.status(), earlier.error() == null ? null : earlier.error().code());
        ToolCall call = run.call().arrival().call();
        return record(run, CODEC.write(new ToolResult(call.id(), call.name(), earlier.status(), earlier.output(),
                earlier.handle(), earlier.error(), call.instanceKey(), call.agentName(), call.turnId(), call.stepId(),
                earlier.attempt(), true, run.call().fingerprint(), run.call().arrival().position().offset(),
                timing(run), earlier.guard(), earlier.notice())), LoopEnd.NONE);
    }

    /// The pending result of a call whose first one is forgotten, for a duplicate of it: the handle, and nothing else.
    ProducerRecord<byte[], byte[]> stillPending(CallFacts run, String handle) {
        return record(run, CODEC.write(result(run, new Answer(ResultStatus.PENDING, null, handle, null), null)),
                LoopEnd.NONE);
    }

    /// A result as a value, for the heir of a call's partition.
    ToolResult value(CallFacts run, ToolReply reply) {
        return switch (reply) {
            case ToolReply.Ok(var output) -> result(run, new Answer(ResultStatus.OK, output, null, null), null);
            case ToolReply.Pending pending ->
                result(run, new Answer(ResultStatus.PENDING, pending.output(), pending.handle(), null), null);
            case ToolReply.Failed(var error) -> result(run, new Answer(ResultStatus.ERROR, null, null, error), null);
        };
    }

    /// An error result always fits: its texts are bounded.
    ProducerRecord<byte[], byte[]> error(CallFacts run, ToolError error, @Nullable GuardFacts facts, LoopEnd loop) {
        return record(run, CODEC.write(result(run, new Answer(ResultStatus.ERROR, null, null, error), facts)
                .noticed(loop.notice())), loop);
    }

    private Encoded encode(CallFacts run, ToolResult result, LoopEnd loop) {
        byte[] value;
        try {
            value = CODEC.write(result);
        } catch (JacksonException | StackOverflowError e) {
            return new Unfit(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The tool returned something that is not JSON: " + e.getMessage()));
        }
        if (value.length <= maxBytes)
            return new Fits(record(run, value, loop));
        return new Unfit(ToolError.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE, "The tool's result has " + value.length
                + " bytes; at most " + maxBytes + " can be published."));
    }

    private record Answer(ResultStatus status, @Nullable JsonNode output, @Nullable String handle,
            @Nullable ToolError error) {}

    private ToolResult result(CallFacts run, Answer answer, @Nullable GuardFacts facts) {
        ToolCall call = run.call().arrival().call();
        run.trace().answers(answer.status(), answer.error() == null ? null : answer.error().code());
        return new ToolResult(call.id(), call.name(), answer.status(), answer.output(),
                answer.handle() == null ? run.waitedFor() : answer.handle(), answer.error(),
                call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), run.attempt(), run.replayed(),
                run.call().fingerprint(),
                run.call().arrival().position().offset(), timing(run), facts);
    }

    Timing timing(CallFacts run) {
        long appended = run.call().arrival().appendedAt();
        return new Timing(Math.max(0, run.startedAt() - appended), run.handlerMillis(),
                Math.max(0, clock.millis() - appended), some(run.course().checksMillis()),
                some(run.course().slotMillis()));
    }

    private static @Nullable Long some(long millis) {
        return millis > 0 ? millis : null;
    }

    private ProducerRecord<byte[], byte[]> record(CallFacts run, byte[] value, LoopEnd loop) {
        ToolCall call = run.call().arrival().call();
        Position position = run.call().arrival().position();
        HeaderList headers = writer.headers(EventType.TOOL_RESULT, run.at(), call.instanceKey(),
                run.context());
        headers.put(WireHeaders.FINGERPRINT, run.call().fingerprint());
        headers.put(WireHeaders.CALL_OFFSET, Long.toString(position.offset()));
        long calledAt = run.call().arrival().appendedAt();
        if (calledAt > 0)
            headers.put(WireHeaders.CALLED_AT, Long.toString(calledAt));
        headers.put(WireHeaders.IDENTITY, run.call().identity().text());
        if (run.replayed())
            headers.put(WireHeaders.REPLAYED, "true");
        if (loop.mark() != null)
            headers.put(WireHeaders.LOOP, loop.mark().text());
        return writer.inPartition(Topic.RESULT, position.partition(), call.instanceKey(), value, headers);
    }
}
