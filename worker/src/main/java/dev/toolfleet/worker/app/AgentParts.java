package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.agents.AgentCalls;
import dev.toolfleet.worker.agents.AgentInstances;
import dev.toolfleet.worker.agents.AgentRoster;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.agents.ReplyDesk;
import dev.toolfleet.worker.agents.SpawnFolders;
import dev.toolfleet.worker.agents.SpawnedHomes;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.pipeline.AgentRecords;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.pipeline.RecordWriter;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// What a worker knows of agents, and how its calls speak to them.
final class AgentParts implements HandlerCalls.Agents, Workspace.Homes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentParts.class);
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    /// For how long nobody waits again for a transaction that stays open.
    private static final Duration HIDDEN = Duration.ofSeconds(30);
    private static final int ID_BYTES = 18;

    private final Set<TopicPartition> topic;
    private volatile long hiddenUntil = System.nanoTime();
    private volatile @Nullable Fleet connected;
    private final AgentInstances instances = new AgentInstances();
    private final SpawnedHomes homes = new SpawnedHomes(instances, this::caughtUp);
    private final ReplyDesk replies;
    private final AgentCalls calls;

    /// The parts of the worker that are made later.
    private record Fleet(StateFollower follower, TopicOffsets offsets, Supplier<FleetResources> resources,
            Consumer<ProducerRecord<byte[], byte[]>> publisher) {}

    AgentParts(WorkerConfig config, PartitionCounts counts, KafkaClients clients, InstantSource clock) {
        this.topic = partitions(config, counts, Topic.AGENT_INSTANCE);
        SecureRandom random = new SecureRandom();
        RecordWriter writer = new RecordWriter(config.topics(), config.identity().name(), clock);
        this.replies = new ReplyDesk(id(random), clients::replyReader, partitions(config, counts, Topic.AGENT_EVENT),
                event -> fleet().publisher().accept(AgentRecords.of(writer, event)));
        this.calls = new AgentCalls(new AgentRoster(() -> fleet().resources().get(), instances, this::caughtUp),
                replies,
                new SpawnFolders(config.folders().workspace()), clock, () -> id(random));
    }

    /// Once, before anything starts.
    ///
    /// @param publisher takes events that are sent by themselves
    void connect(StateFollower follower, TopicOffsets offsets, Supplier<FleetResources> resources,
            Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        connected = new Fleet(follower, offsets, resources, publisher);
    }

    private Fleet fleet() {
        return requireNonNull(connected);
    }

    private static Set<TopicPartition> partitions(WorkerConfig config, PartitionCounts counts, Topic topic) {
        return IntStream.range(0, counts.of(topic))
                .mapToObj(partition -> new TopicPartition(config.topics().name(topic), partition))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String id(SecureRandom random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Follows the announced instances; done when those of now are known.
    List<CompletableFuture<Void>> follow() {
        return topic.stream().map(partition -> fleet().follower().follow(partition, instances)).toList();
    }

    @Override
    public AgentToolRuntime of(ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends) {
        return calls.of(call, workdir, deadline, sends);
    }

    @Override
    public @Nullable String cwd(@Nullable String agent, String instanceKey) {
        return homes.cwd(agent, instanceKey);
    }

    /// Reads behind transactions that are open: the result of a spawn can be read as soon as its own partition has the
    /// mark of the commit, which that of its instance may get later. A transaction of somebody else that stays open
    /// holds nobody up for long: then what is committed before it has to do, for all calls of the next seconds.
    private boolean caughtUp() throws InterruptedException {
        try {
            if (System.nanoTime() - hiddenUntil >= 0) {
                if (areDone(fleet().offsets().ends(topic).entrySet().stream()
                        .map(end -> fleet().follower().readUpTo(end.getKey(), end.getValue()))))
                    return true;
                hiddenUntil = System.nanoTime() + HIDDEN.toNanos();
                LOG.warn("A transaction on agent.instance stays open; instances that were announced behind it are not"
                        + " known");
            }
            if (areDone(topic.stream().map(fleet().follower()::catchUp)))
                return false;
            throw unreadable(null);
        } catch (InterruptException e) {
            // Kafka's way to say so sets the thread's mark again.
            Thread.interrupted();
            throw interrupted(e);
        } catch (KafkaException | ExecutionException e) {
            throw unreadable(e);
        }
    }

    private static boolean areDone(Stream<CompletableFuture<Void>> reads)
            throws ExecutionException, InterruptedException {
        List<CompletableFuture<Void>> all = reads.toList();
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(CATCH_UP.toMillis(),
                    TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } finally {
            all.forEach(read -> read.cancel(false));
        }
    }

    private static IllegalStateException unreadable(@Nullable Exception cause) {
        return new IllegalStateException("The announced instances of agents cannot be read now.", cause);
    }

    private static InterruptedException interrupted(InterruptException cause) {
        InterruptedException interrupted = new InterruptedException("interrupted while agents' instances were read");
        interrupted.initCause(cause);
        return interrupted;
    }

    @Override
    public void close() {
        replies.close();
    }
}
