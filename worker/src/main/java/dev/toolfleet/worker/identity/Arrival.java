package dev.toolfleet.worker.identity;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A record that runs through a lane, on its way through the worker: of `tool.call`, or an approved call of
/// `tool.call.resumed`.
public sealed interface Arrival {
    /// Where it was read.
    Position position();

    /// The instance whose order it keeps.
    String instanceKey();

    /// What it weighs, in bytes as read.
    int bytes();

    /// A tool call.
    ///
    /// @param appendedAt when the broker appended it, in epoch milliseconds
    /// @param trace the caller's W3C context, or that of the call that it goes on with
    record Call(Position position, ToolCall call, long appendedAt, @Nullable TraceContext trace,
            int bytes) implements Arrival {
        @Override
        public String instanceKey() {
            return call.instanceKey();
        }
    }

    /// A call that a person approved, which begins anew.
    ///
    /// @param position of the approval, on `tool.call.resumed`: it is finished when the call is
    /// @param call as it was read first, under the present assignment
    /// @param resumed what was approved, and how the call began
    /// @param done told once when the approval's fate is known; not when it is forgotten with its assignment
    record Granted(Position position, Call call, ResumedCall resumed, Runnable done) implements Arrival {
        /// An approval that was read under `position`.
        ///
        /// @param bytes what its record weighs
        public static Granted of(Position position, ResumedCall resumed, int bytes, Runnable done) {
            CallOrigin origin = resumed.origin();
            return new Granted(position,
                    new Call(new Position(position.partition(), position.epoch(), resumed.callOffset()),
                            resumed.call(), origin == null ? 0 : origin.calledAt().toEpochMilli(),
                            TraceContext.of(origin), bytes),
                    resumed, done);
        }

        /// What was approved.
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
    }

    /// Something that is no tool call.
    ///
    /// @param reason what is wrong with it
    /// @param caller whom to tell, as far as it could be read
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
    }
}
