package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.CallFeed;
import dev.toolfleet.gateway.topology.CallStores;
import dev.toolfleet.gateway.topology.ScanBudget;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/// Reads of the partitions that this replica owns. Thread-safe; reads block.
final class OwnCalls implements PartitionReads {
    static final String MOVING = "partitions are being assigned, or their state is read back";
    /// The longest pause between two looks at the position of a partition.
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    /// The time within which the read model usually reaches a new call. No end is looked up before.
    private static final Duration USUALLY = Duration.ofMillis(200);
    private static final Duration END_WITHIN = Duration.ofSeconds(1);

    /// Bound of one list. A reader continues behind it.
    private static final ScanBudget BUDGET = new ScanBudget(200_000, Duration.ofMillis(100));

    private final Stores stores;
    private final CallFeed feed;
    private final Ends ends;
    private final InstantSource clock;

    /// Stores of the present moment.
    @FunctionalInterface
    interface Stores {
        /// Returns the stores; empty before the start and while partitions move.
        Optional<CallStores> now();
    }

    /// Ends of the partitions of `tool.call`. Thread-safe.
    @FunctionalInterface
    interface Ends {
        /// Returns the offset behind the last record that was durable when this method was called, or behind a later
        /// one; empty when the broker does not answer in time.
        OptionalLong of(int partition, Duration patience);
    }

    /// @param clock chooses the hour of the load
    OwnCalls(Stores stores, CallFeed feed, Ends ends, InstantSource clock) {
        this.stores = stores;
        this.feed = feed;
        this.ends = ends;
        this.clock = clock;
    }

    @Override
    public Answer<CallView> find(CallId id, Duration patience) {
        return call(id, patience, Duration.ZERO, found -> found.view(id), view -> true);
    }

    @Override
    public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration patience, Duration wait) {
        return call(id, patience, wait, found -> found.events(id, after),
                events -> !events.events().isEmpty() || events.ended());
    }

    /// Reads until the call is there and the value is enough.
    ///
    /// @param enough true for a value that ends the wait
    private <T> Answer<T> call(CallId id, Duration patience, Duration wait,
            Function<CallStores, Optional<T>> read, Function<T, Boolean> enough) {
        int hash = CallFeed.hash(id);
        Absence absence = new Absence(id, patience);
        Countdown idle = new Countdown(wait);
        return owning(id.partition(), found -> {
            long version = feed.version(hash);
            // Read before the store: a call that the task passes in between is in the store.
            long position = feed.position(id.partition());
            Optional<T> value = read.apply(found);
            if (value.isPresent()) {
                if (enough.apply(value.get()) || idle.isOver())
                    return new Answer.Found<>(value.get());
                return again(hash, version, idle.left());
            }
            Answer<T> absent = absence.judge(position);
            return absent != null ? absent : again(hash, version, absence.nextLook());
        });
    }

    /// Absence of one call from the store: the call does not exist, or the read model is behind.
    ///
    /// **Why.** A call id exists once its record is durable. So an id at or behind the end of the log names no call, and
    /// its reader need not wait until the read model has passed it. The end is read after the id came, so a record that
    /// was durable by then lies before it.
    private final class Absence {
        private final CallId id;
        private final Countdown patience;
        private final Countdown usual;
        private boolean isBeforeEnd;

        Absence(CallId id, Duration patience) {
            this.id = id;
            this.patience = new Countdown(patience);
            this.usual = new Countdown(patience.compareTo(USUALLY) < 0 ? patience : USUALLY);
        }

        /// Returns the answer; null while the read model may still reach the call.
        ///
        /// @param position the offset behind the last call that the read model had read before it looked for this one
        <T> @Nullable Answer<T> judge(long position) {
            if (position > id.offset())
                return new Answer.Unknown<>(
                        "there is no call " + id + " on tool.call, or it ended more than a day ago");
            if (!usual.isOver())
                return null;
            if (!isBeforeEnd) {
                OptionalLong end = ends.of(id.partition(), END_WITHIN);
                if (end.isPresent() && end.getAsLong() <= id.offset())
                    return new Answer.Unknown<>(
                            "partition " + id.partition() + " of tool.call ends before it, at offset "
                                    + end.getAsLong());
                isBeforeEnd = end.isPresent();
            }
            return patience.isOver()
                    ? new Answer.Unavailable<>("the read model has read partition " + id.partition()
                            + " of tool.call up to offset " + position + ", and " + id.offset() + " lies ahead")
                    : null;
        }

        Duration nextLook() {
            Duration left = (usual.isOver() ? patience : usual).left();
            return left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY;
        }
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

    private Answer<CallId> first(Set<Integer> partitions, BiFunction<CallStores, Integer, Optional<CallId>> read,
            String unknown) {
        try {
            Optional<CallStores> found = stores.now();
            if (found.isEmpty() || !found.get().owned().containsAll(partitions))
                return new Answer.Unavailable<>(MOVING);
            for (int partition : partitions) {
                Optional<CallId> call = read.apply(found.get(), partition);
                if (call.isPresent())
                    return new Answer.Found<>(call.get());
            }
            return new Answer.Unknown<>(unknown);
        } catch (InvalidStateStoreException | IllegalStateException e) {
            return new Answer.Unavailable<>(MOVING);
        }
    }

    @Override
    public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Duration wait) {
        int hash = CallFeed.hash(instance);
        Countdown idle = new Countdown(wait);
        return owning(partition, found -> {
            long version = feed.version(hash);
            List<InstanceResults.One> results = found.results(partition, instance, from, limit);
            return !results.isEmpty() || idle.isOver()
                    ? new Answer.Found<>(new InstanceResults(results))
                    : again(hash, version, idle.left());
        });
    }

    @Override
    public Answer<CallPage> list(Set<Integer> partitions, CallFilter filter, @Nullable TopicPosition before,
            int limit) {
        return some(partitions, found -> found.list(partitions, filter, before, limit, BUDGET), CallPage::missing);
    }

    @Override
    public Answer<FleetLoad> load(Set<Integer> partitions) {
        return some(partitions, found -> found.load(partitions, clock.instant(), CallLists.INSTANCES_OF_ONE),
                FleetLoad::missing);
    }

    private <T> Answer<T> some(Set<Integer> partitions, Function<CallStores, T> read,
            Function<T, Set<Integer>> missing) {
        try {
            Optional<CallStores> found = stores.now();
            if (found.isEmpty())
                return new Answer.Unavailable<>(MOVING);
            T value = read.apply(found.get());
            return missing.apply(value).containsAll(partitions)
                    ? new Answer.Unavailable<>(MOVING)
                    : new Answer.Found<>(value);
        } catch (InvalidStateStoreException | IllegalStateException e) {
            return new Answer.Unavailable<>(MOVING);
        }
    }

    /// One look at the stores: an answer, or null to look again.
    private interface Look<T> {
        @Nullable
        Answer<T> at(CallStores found) throws InterruptedException;
    }

    private <T> Answer<T> owning(int partition, Look<T> look) {
        try {
            while (true) {
                Optional<CallStores> found = stores.now();
                if (found.isEmpty() || !found.get().owned().contains(partition))
                    return new Answer.Unavailable<>(MOVING);
                Answer<T> answer = look.at(found.get());
                if (answer != null)
                    return answer;
            }
        } catch (InvalidStateStoreException | IllegalStateException e) {
            // The partition moved while its store was read.
            return new Answer.Unavailable<>(MOVING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unavailable<>("the request was interrupted");
        }
    }

    /// Waits for a change; the caller looks again then.
    private <T> @Nullable Answer<T> again(int hash, long version, Duration atMost) throws InterruptedException {
        feed.await(hash, version, atMost);
        return null;
    }
}
