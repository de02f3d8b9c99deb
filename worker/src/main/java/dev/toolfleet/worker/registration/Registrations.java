package dev.toolfleet.worker.registration;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.toolfleet.loading.Retries;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.registry.OfferedTools;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.Housekeeping;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// Upkeep of a worker's resources: declares what its extensions publish, and loads again what could not be loaded.
public final class Registrations implements AutoCloseable {
    private final RegistrationLoop loop;
    private final Housekeeping retries;

    /// Not started yet.
    ///
    /// @param worker the name of the worker
    /// @param lease after which published tools are gone when no worker renews them
    /// @param producers makes the producer of the worker that writes registrations
    public Registrations(Topics topics, String worker, Duration lease, Supplier<Producer<byte[], byte[]>> producers,
            ToolRegistry registry, StateFollower follower, TopicOffsets ends, Ownership ownership,
            InstantSource clock) {
        String topic = topics.name(Topic.RESOURCE);
        loop = new RegistrationLoop(
                new RegistrationLoop.Setup(topic, worker, lease),
                () -> ownership.current().epochs().containsKey(0), producers,
                new OfWorker(registry, follower, ends, new TopicPartition(topic, 0)), clock);
        Retries due = new Retries(System::nanoTime);
        retries = new Housekeeping(() -> {
            if (due.isDue(registry.isTroubled()))
                due.once(registry::retry);
        }, Retries.FIRST, Retries.FIRST);
    }

    private record OfWorker(ToolRegistry registry, StateFollower follower, TopicOffsets ends,
            TopicPartition partition) implements RegistrationLoop.Fleet {
        @Override
        public List<OfferedTools> offered() {
            return registry.offered();
        }

        @Override
        public long changes() {
            return registry.offerChanges();
        }

        @Override
        public FleetResources resources() {
            return registry.resources();
        }

        /// Up to the end that uncommitted records have too: another's transaction may still be open before the last
        /// writer's records.
        @Override
        public CompletableFuture<Void> readToItsEnd() {
            return follower.readUpTo(partition, requireNonNull(ends.ends(Set.of(partition)).get(partition)));
        }
    }

    /// Starts the upkeep.
    public void start() {
        loop.start();
        retries.start();
    }

    @Override
    public void close() {
        retries.close();
        loop.close();
    }
}
