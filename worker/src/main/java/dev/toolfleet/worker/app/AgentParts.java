package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.record.AgentRecords;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Agents as a worker knows them, and the way of its calls to them.
final class AgentParts implements HandlerCalls.Agents, Workspace.Homes, AutoCloseable {
    private static final int ID_BYTES = 18;

    private final List<TopicPartition> topic;
    private volatile @Nullable Fleet connected;
    private final AgentInstances instances = new AgentInstances();
    private final SpawnedHomes homes = new SpawnedHomes(instances,
            instance -> fleet().announced().caughtUp(instance));
    private final ReplyDesk replies;
    private final AgentCalls calls;

    /// The parts of the worker that are made later.
    private record Fleet(InstanceTopic announced, Supplier<FleetResources> resources,
            Consumer<ProducerRecord<byte[], byte[]>> publisher) {}

    AgentParts(WorkerConfig config, PartitionCounts counts, KafkaClients clients, InstantSource clock) {
        this.topic = partitions(config, counts, Topic.AGENT_INSTANCE);
        SecureRandom random = new SecureRandom();
        RecordWriter writer = new RecordWriter(config.topics(), config.identity().name(), clock);
        this.replies = new ReplyDesk(id(random), clients::replyReader,
                Set.copyOf(partitions(config, counts, Topic.AGENT_EVENT)),
                event -> fleet().publisher().accept(AgentRecords.of(writer, event)));
        this.calls = new AgentCalls(
                new AgentRoster(() -> fleet().resources().get(), instances, () -> fleet().announced().caughtUp()),
                replies,
                new SpawnFolders(config.folders().workspace()), clock, () -> id(random));
    }

    /// Once, before anything starts.
    ///
    /// @param publisher takes events that are sent by themselves
    void connect(StateFollower follower, TopicOffsets offsets, Supplier<FleetResources> resources,
            Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        connected = new Fleet(new InstanceTopic(topic, follower, offsets), resources, publisher);
    }

    private Fleet fleet() {
        return requireNonNull(connected);
    }

    private static List<TopicPartition> partitions(WorkerConfig config, PartitionCounts counts, Topic topic) {
        return IntStream.range(0, counts.of(topic))
                .mapToObj(partition -> new TopicPartition(config.topics().name(topic), partition))
                .toList();
    }

    private static String id(SecureRandom random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Follows the announced instances; done when those of now are known.
    List<CompletableFuture<Void>> follow() {
        return fleet().announced().follow(instances);
    }

    @Override
    public AgentToolRuntime of(ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends) {
        return calls.of(call, workdir, deadline, sends);
    }

    @Override
    public @Nullable String cwd(@Nullable String agent, String instanceKey) {
        return homes.cwd(agent, instanceKey);
    }

    @Override
    public void close() {
        replies.close();
    }
}
