package dev.toolfleet.worker.identity;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Record on its way through a lane: one of `tool.call`, or an approved call of `tool.call.resumed`.
public sealed interface Arrival {
    /// Returns the place where it was read.
    Position position();

    /// Returns the instance whose order it keeps.
    String instanceKey();

    /// Returns its size in bytes as read.
    int bytes();

    /// Returns the time at which the broker appended the call's record, in epoch milliseconds; 0 if unknown.
    long at();

    /// A tool call.
    ///
    /// @param appendedAt the broker's append time, in epoch milliseconds
    /// @param trace the caller's W3C context, or that of the call that it goes on with
    record Call(Position position, ToolCall call, long appendedAt, @Nullable TraceContext trace,
            int bytes) implements Arrival {
        @Override
        public String instanceKey() {
            return call.instanceKey();
        }

        @Override
        public long at() {
            return appendedAt;
        }
    }

    /// A call that a person approved, which begins anew.
    ///
    /// @param position of the approval, on `tool.call.resumed`: it is finished when the call is
    /// @param call as it was read first, under the present assignment
    /// @param resumed the approved call, and how it began
    /// @param done run once when the approval's fate is known; not when it is forgotten with its assignment
    record Granted(Position position, Call call, ResumedCall resumed, Runnable done) implements Arrival {
        /// Creates an arrival for an approval that was read under `position`.
        ///
        /// @param bytes size of its record
        public static Granted of(Position position, ResumedCall resumed, int bytes, Runnable done) {
            CallOrigin origin = resumed.origin();
            return new Granted(position,
                    new Call(new Position(position.partition(), position.epoch(), resumed.callOffset()),
                            resumed.call(), origin == null ? 0 : origin.calledAt().toEpochMilli(),
                            TraceContext.of(origin), bytes),
                    resumed, done);
        }

        /// Returns the grant.
        public ResumedCall.Grant grant() {
            return requireNonNull(resumed.grant(), "grant");
        }

        @Override
        public String instanceKey() {
            return call.instanceKey();
        }

        @Override
        public int bytes() {
            return call.bytes();
        }

        @Override
        public long at() {
            return call.appendedAt();
        }
    }

    /// A record that is no tool call.
    ///
    /// @param reason the fault
    /// @param caller the caller to answer, as far as it could be read
    /// @param raw the record, for the dead-letter topic
    record Malformed(Position position, String reason, @Nullable ToolCall caller,
            ConsumerRecord<byte[], byte[]> raw) implements Arrival {
        @Override
        public String instanceKey() {
            return caller == null ? "" : caller.instanceKey();
        }

        @Override
        public int bytes() {
            return Math.max(0, raw.serializedKeySize()) + Math.max(0, raw.serializedValueSize());
        }

        @Override
        public long at() {
            return Math.max(0, raw.timestamp());
        }
    }
}
