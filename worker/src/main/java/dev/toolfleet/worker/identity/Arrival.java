package dev.toolfleet.worker.identity;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// A record of `tool.call` on its way through the worker.
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
    /// @param traceparent the caller's trace context
    record Call(Position position, ToolCall call, long appendedAt, @Nullable String traceparent,
            int bytes) implements Arrival {
        @Override
        public String instanceKey() {
            return call.instanceKey();
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
