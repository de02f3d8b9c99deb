package dev.toolfleet.worker.simulation;

import java.time.Instant;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.poll.ResumedLoop;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// What becomes of outcomes as a bug in the engine would have it.
final class TamperedEnds {
    private TamperedEnds() {}

    /// Nothing of what was read is in flight.
    record EarlyOffset(SimEnds ends) implements ResumedLoop.Ends {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends.tracked(partition, epoch, new Offsets(), next);
        }

        @Override
        public void end(Position at, ResumedCall call, Runnable done) {
            ends.end(at, call, done);
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            return ends.offer(granted);
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return ends.began(granted);
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            return ends.settled(partition, epoch, position);
        }
    }

    /// Every call waits for whatever has come.
    record Unasked(SimEnds ends, PartitionStates states) implements ResumedLoop.Ends {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends.tracked(partition, epoch, offsets, next);
        }

        @Override
        public void end(Position at, ResumedCall resumed, Runnable done) {
            PartitionState state = states.of(at);
            ToolCall call = resumed.call();
            if (state != null) {
                state.restorePending(
                        new OpenHandle(CallIdentity.of(call, at.partition(), resumed.callOffset()).text(),
                                Fingerprint.of(call.name(), call.args()), requireNonNull(resumed.outcome()).handle(),
                                resumed.callOffset(), call.instanceKey(), call.id(), call.agentName(), call.turnId(),
                                call.stepId(), Instant.EPOCH));
            }
            ends.end(at, resumed, done);
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            return ends.offer(granted);
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return ends.began(granted);
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            return ends.settled(partition, epoch, position);
        }
    }

    /// Every approval is one that nobody has used.
    record UnaskedGrants(SimEnds ends, PartitionStates states) implements ResumedLoop.Ends {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends.tracked(partition, epoch, offsets, next);
        }

        @Override
        public void end(Position at, ResumedCall call, Runnable done) {
            ends.end(at, call, done);
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            PartitionState state = states.of(granted.position());
            ToolCall call = granted.call().call();
            if (state != null && state.pending() == 0) {
                state.restorePending(new OpenHandle(
                        CallIdentity.of(call, granted.position().partition(), granted.resumed().callOffset()).text(),
                        Fingerprint.of(call.name(), call.args()), granted.grant().handle(),
                        granted.resumed().callOffset(), call.instanceKey(), call.id(), call.agentName(), call.turnId(),
                        call.stepId(), Instant.EPOCH));
            }
            return ends.offer(granted);
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return ends.began(granted);
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            return ends.settled(partition, epoch, position);
        }
    }

    /// Nothing is awaited by a call that is done.
    record BelowCalls(SimEnds ends, SimGroup group) implements ResumedLoop.Ends {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            ends.tracked(partition, epoch, offsets, next);
        }

        @Override
        public void end(Position at, ResumedCall call, Runnable done) {
            OffsetAndMetadata committed = group
                    .committed(new TopicPartition(Topic.CALL.baseName(), at.partition()));
            if (committed != null && call.callOffset() < committed.offset()) {
                ends.passOver(at, done);
            } else {
                ends.end(at, call, done);
            }
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            return ends.offer(granted);
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return ends.began(granted);
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            return ends.settled(partition, epoch, position);
        }
    }
}
