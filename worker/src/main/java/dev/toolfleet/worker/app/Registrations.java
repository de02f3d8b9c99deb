package dev.toolfleet.worker.app;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.loading.Retries;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.registration.RegistrationLoop;
import dev.toolfleet.worker.registry.OfferedTools;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// Upkeep of a worker's resources: declares what its extensions publish, and loads again what could not be loaded.
final class Registrations implements AutoCloseable {
    private final RegistrationLoop loop;
    private final Housekeeping retries;

    Registrations(WorkerConfig config, KafkaClients clients, ToolRegistry registry, StateFollower follower,
            TopicOffsets ends, Ownership ownership, InstantSource clock) {
        String topic = config.topics().name(Topic.RESOURCE);
        loop = new RegistrationLoop(
                new RegistrationLoop.Setup(topic, config.identity().name(), config.identity().registrationLease()),
                () -> ownership.current().epochs().containsKey(0), clients::registrar,
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

    void start() {
        loop.start();
        retries.start();
    }

    @Override
    public void close() {
        retries.close();
        loop.close();
    }
}
