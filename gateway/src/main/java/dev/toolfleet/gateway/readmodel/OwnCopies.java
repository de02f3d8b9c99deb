package dev.toolfleet.gateway.readmodel;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.topology.CallStores;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/// Reads of the copies that this replica holds, also of partitions that it has taken over and reads back. Thread-safe.
///
/// **Why.** A dead owner is missed after the group's session timeout, and its open transaction holds up the next owner.
/// Meanwhile its copies answer (decision 83).
final class OwnCopies implements CopyReads {
    private final OwnCalls.Stores stores;
    private final Age age;

    /// Age of copies.
    @FunctionalInterface
    interface Age {
        /// True if a copy that holds all calls of a partition below an offset lacks young calls only.
        boolean isLow(int partition, long position);
    }

    OwnCopies(OwnCalls.Stores stores, Age age) {
        this.stores = stores;
        this.age = age;
    }

    @Override
    public Answer<CallView> find(CallId id) {
        return read(found -> held(id, found.view(id)));
    }

    @Override
    public Answer<CallEvents> events(CallId id, @Nullable EventId after) {
        return read(found -> held(id, found.events(id, after)));
    }

    private static <T> Answer<T> held(CallId id, Optional<T> value) {
        return value.<Answer<T>>map(Answer.Found::new).orElseGet(() -> new Answer.Unavailable<>(
                "the owner of partition " + id.partition() + " is not reachable, and its copy does not hold " + id));
    }

    @Override
    public Answer<CallId> callOf(Set<Integer> partitions, byte[] identity) {
        return first(partitions, (found, partition) -> found.callOf(partition, identity), "no call has this identity");
    }

    @Override
    public Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance) {
        return first(partitions, (found, partition) -> found.latestCall(partition, instance),
                "no call of this instance");
    }

    /// One look into a partition.
    private interface Look {
        Optional<CallId> at(CallStores found, int partition);
    }

    private Answer<CallId> first(Set<Integer> partitions, Look look, String unknown) {
        return read(found -> {
            Answer<CallId> answer = new Answer.Unknown<>(unknown);
            for (int partition : partitions) {
                // Read before the store, which only grows.
                long position = found.position(partition);
                Optional<CallId> call = look.at(found, partition);
                if (call.isPresent())
                    return new Answer.Found<>(call.get());
                if (!age.isLow(partition, position))
                    answer = new Answer.Unavailable<>("the owner of partition " + partition
                            + " is not reachable, and its copy may be too old");
            }
            return answer;
        });
    }

    @Override
    public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit) {
        return read(found -> {
            List<InstanceResults.One> results = found.results(partition, instance, from, limit);
            return new Answer.Found<>(new InstanceResults(results));
        });
    }

    private <T> Answer<T> read(Function<CallStores, Answer<T>> look) {
        try {
            Optional<CallStores> found = stores.now();
            return found.isEmpty()
                    ? new Answer.Unavailable<>(OwnCalls.MOVING)
                    : look.apply(found.get().withCopies());
        } catch (InvalidStateStoreException | IllegalStateException e) {
            return new Answer.Unavailable<>("this gateway holds no copy of the partition");
        }
    }
}
