package dev.toolfleet.worker.simulation;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.poll.ResumedListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// Receivers of outcomes with a bug of the engine.
final class TamperedEnds {
    /// Passes on what is not tampered with.
    interface Passing extends ResumedListener {
        ResumedListener ends();

        @Override
        default void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends().tracked(partition, epoch, offsets, next);
        }

        @Override
        default void end(Position at, ResumedCall call, Runnable done) {
            ends().end(at, call, done);
        }

        @Override
        default boolean offer(Arrival.Granted granted) {
            return ends().offer(granted);
        }

        @Override
        default boolean began(Arrival.Granted granted) {
            return ends().began(granted);
        }

        @Override
        default boolean settled(int partition, long epoch, long position) {
            return ends().settled(partition, epoch, position);
        }
    }

    private TamperedEnds() {}

    private static OpenHandle waiting(Position at, ResumedCall resumed, String handle) {
        ToolCall call = resumed.call();
        return new OpenHandle(CallIdentity.of(call, at.partition(), resumed.callOffset()).text(),
                Fingerprint.of(call.name(), call.args()), handle, resumed.callOffset(), call.instanceKey(), call.id(),
                call.agentName(), call.turnId(), call.stepId(), Instant.EPOCH);
    }

    /// Nothing of what was read is in flight.
    record EarlyOffset(ResumedListener ends) implements Passing {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends.tracked(partition, epoch, new Offsets(), next);
        }
    }

    /// Every call waits for whatever has come.
    record Unasked(ResumedListener ends, PartitionStates states) implements Passing {
        @Override
        public void end(Position at, ResumedCall resumed, Runnable done) {
            PartitionState state = states.of(at);
            if (state != null)
                state.restorePending(waiting(at, resumed, requireNonNull(resumed.outcome()).handle()));
            ends.end(at, resumed, done);
        }
    }

    /// Every approval counts as unused.
    record UnaskedGrants(ResumedListener ends, PartitionStates states) implements Passing {
        @Override
        public boolean offer(Arrival.Granted granted) {
            PartitionState state = states.of(granted.position());
            if (state != null && state.pending() == 0)
                state.restorePending(waiting(granted.position(), granted.resumed(), granted.grant().handle()));
            return ends.offer(granted);
        }
    }

    /// Nothing is awaited by a call that is done.
    record BelowCalls(ResumedListener ends, SimGroup group, TransactionLoop transactions) implements Passing {
        @Override
        public void end(Position at, ResumedCall call, Runnable done) {
            OffsetAndMetadata committed = group
                    .committed(new TopicPartition(Topic.CALL.baseName(), at.partition()));
            if (committed != null && call.callOffset() < committed.offset()) {
                transactions.finished(new Outcome(at, List.of()));
                done.run();
            } else {
                ends.end(at, call, done);
            }
        }
    }
}
