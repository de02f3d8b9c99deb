package dev.toolfleet.gateway.topology;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Binary form of a call's head in the store `index`: all that a list shows of the call, but for its id, which is in the
/// key.
///
/// | bytes | content |
/// |---|---|
/// | 1 | version |
/// | 1 | stage |
/// | 1 | status of the final result; 0 for none |
/// | 1 | 1 if the latest result repeats an earlier one |
/// | 8 | time at which the call was accepted, in milliseconds |
/// | 8 | time of the final result, in milliseconds; 0 for none |
/// | rest | texts: instance, tool, agent, user, tool-call id, turn, step, error code |
///
/// A text is its length in UTF-8 plus one, with seven bits a byte from the lowest, and its bytes. An absent one is a zero.
final class HeadCodec {
    private static final byte VERSION = 1;
    private static final int ACCEPTED_AT = 4;
    private static final int FIXED = ACCEPTED_AT + 2 * Long.BYTES;
    private static final int SEVEN_BITS = 7;
    private static final int LOW = 0x7f;
    private static final int MORE = 0x80;

    private HeadCodec() {}

    static byte[] write(CallSummary call) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(FIXED + 128);
        out.writeBytes(ByteBuffer.allocate(FIXED).put(VERSION).put(code(call.stage())).put(code(call.status()))
                .put((byte) (call.replayed() ? 1 : 0)).putLong(call.acceptedAt().toEpochMilli())
                .putLong(call.endedAt() == null ? 0 : call.endedAt().toEpochMilli()).array());
        put(out, call.instanceKey());
        put(out, call.tool());
        put(out, call.agentName());
        put(out, call.userId());
        put(out, call.callId());
        put(out, call.turnId());
        put(out, call.stepId());
        put(out, call.code());
        return out.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, @Nullable String text) {
        if (text == null) {
            out.write(0);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = bytes.length + 1;
        for (; length > LOW; length >>>= SEVEN_BITS)
            out.write((length & LOW) | MORE);
        out.write(length);
        out.writeBytes(bytes);
    }

    /// Reads a head.
    ///
    /// @throws WireFormatException for a version that is not known
    static CallSummary read(CallId id, byte[] head) {
        if (!isReadable(head))
            throw new WireFormatException("a head of version " + VERSION + " expected, got " + head[0]);
        ByteBuffer in = ByteBuffer.wrap(head, 1, head.length - 1);
        CallStage stage = stage(in.get());
        ResultStatus status = status(in.get());
        boolean replayed = in.get() == 1;
        Instant acceptedAt = Instant.ofEpochMilli(in.getLong());
        long ended = in.getLong();
        String instance = required(in);
        String tool = required(in);
        String agent = text(in);
        String user = text(in);
        return new CallSummary(id, required(in), instance, agent, tool, user, text(in), text(in), acceptedAt, stage,
                status, text(in), status == null ? null : Instant.ofEpochMilli(ended), replayed);
    }

    /// True for a version that is known.
    static boolean isReadable(byte[] head) {
        return head[0] == VERSION;
    }

    /// Returns the time at which the call of a head was accepted, in milliseconds.
    static long acceptedAt(byte[] head) {
        return ByteBuffer.wrap(head).getLong(ACCEPTED_AT);
    }

    private static String required(ByteBuffer in) {
        String text = text(in);
        if (text == null)
            throw new WireFormatException("a head with instance, tool and tool-call id expected");
        return text;
    }

    private static @Nullable String text(ByteBuffer in) {
        int length = 0;
        int shift = 0;
        int read;
        do {
            read = in.get();
            length |= (read & LOW) << shift;
            shift += SEVEN_BITS;
        } while ((read & MORE) != 0);
        if (length == 0)
            return null;
        byte[] bytes = new byte[length - 1];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte code(CallStage stage) {
        return (byte) switch (stage) {
            case ACCEPTED -> 0;
            case RUNNING -> 1;
            case PENDING -> 2;
            case APPROVAL -> 3;
            case RESUMED -> 4;
            case ENDED -> 5;
        };
    }

    private static CallStage stage(byte code) {
        return switch (code) {
            case 0 -> CallStage.ACCEPTED;
            case 1 -> CallStage.RUNNING;
            case 2 -> CallStage.PENDING;
            case 3 -> CallStage.APPROVAL;
            case 4 -> CallStage.RESUMED;
            case 5 -> CallStage.ENDED;
            default -> throw new WireFormatException("the code of a stage expected, got " + code);
        };
    }

    private static byte code(@Nullable ResultStatus status) {
        return (byte) (status == ResultStatus.OK ? 1 : status == ResultStatus.ERROR ? 2 : 0);
    }

    private static @Nullable ResultStatus status(byte code) {
        return code == 1 ? ResultStatus.OK : code == 2 ? ResultStatus.ERROR : null;
    }
}
