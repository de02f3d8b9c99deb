package dev.toolfleet.cli.backtest;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;

/// Fields of a record of `tool.result` that an example shows, or that decide which labels it adds; its output is passed
/// over.
record PastResult(@Nullable String status, @Nullable Failed error, @Nullable Long callOffset, @Nullable String toolName,
        @Nullable String agentName, @Nullable String instanceKey, @Nullable HandlerTime timing) {
    private static final ObjectReader READER = Json.MAPPER.readerFor(PastResult.class);
    /// Codes with which a call ends before its handler starts. Some may also end a handler, which then has taken its time.
    private static final Set<String> NOT_STARTED = Stream.of(ErrorCode.E_TOOL_NOT_IN_CATALOG,
            ErrorCode.E_TOOL_NOT_FOUND, ErrorCode.E_TOOL_INVALID_ARGS, ErrorCode.E_TOOL_DENIED,
            ErrorCode.E_TOOL_APPROVAL_REJECTED, ErrorCode.E_TOOL_APPROVAL_EXPIRED,
            ErrorCode.E_TOOL_AUTHORIZATION_REQUIRED, ErrorCode.E_TOOL_AUTHORIZATION_DENIED,
            ErrorCode.E_TOOL_AUTHORIZATION_EXPIRED, ErrorCode.E_TOOL_TIMEOUT, ErrorCode.E_TOOL_CANCELLED,
            ErrorCode.E_TOOL_RATE_LIMITED, ErrorCode.E_TOOL_CIRCUIT_OPEN, ErrorCode.E_TOOL_LOOP,
            ErrorCode.E_TOOL_BUDGET_EXHAUSTED, ErrorCode.E_TOOL_MIDDLEWARE, ErrorCode.E_CALL_MALFORMED,
            ErrorCode.E_CALL_IDENTITY_CONFLICT).map(ErrorCode::name).collect(Collectors.toUnmodifiableSet());
    /// Offset of no call.
    static final long NO_CALL = -1;

    /// The error of a result.
    record Failed(@Nullable String code) {}

    /// The time of its handler.
    record HandlerTime(long handlerMs) {}

    /// Null when the bytes are no result.
    static @Nullable PastResult read(byte @Nullable [] value) {
        if (value == null)
            return null;
        try {
            return READER.readValue(value);
        } catch (JacksonException e) {
            return null;
        }
    }

    /// Returns the offset of the call, by the record's header where it has one; [#NO_CALL] when nothing names it.
    static long callOffset(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(WireHeaders.CALL_OFFSET);
        if (header != null && header.value() != null)
            return number(new String(header.value(), StandardCharsets.UTF_8));
        PastResult result = read(record.value());
        return result == null || result.callOffset == null ? NO_CALL : result.callOffset;
    }

    /// True if its text comes from the tool, and not from the fleet: an error of a call that was not started, or a question
    /// to a person.
    ///
    /// @param value of its record; the output in it is read when it matters
    boolean isFromTool(byte[] value) {
        if (timing != null && timing.handlerMs() > 0)
            return true;
        return switch (returned()) {
            case ERROR -> !NOT_STARTED.contains(Objects.requireNonNullElse(code(), ""));
            case PENDING -> !isQuestion(Json.MAPPER.readTree(value).path("output"));
            case OK -> true;
            case NONE, UNKNOWN -> false;
        };
    }

    private static boolean isQuestion(JsonNode output) {
        return output.path("approval").asString("").equals("required")
                || output.path("status").asString("").equals("authorization_required");
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return NO_CALL;
        }
    }

    Returned returned() {
        return switch (status) {
            case "ok" -> Returned.OK;
            case "error" -> Returned.ERROR;
            case "pending" -> Returned.PENDING;
            case null, default -> Returned.UNKNOWN;
        };
    }

    /// Code of the error; null without one.
    @Nullable
    String code() {
        return error == null ? null : error.code();
    }
}
