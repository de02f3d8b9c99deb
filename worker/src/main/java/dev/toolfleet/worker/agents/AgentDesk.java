package dev.toolfleet.worker.agents;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Agents as a worker knows them, and the way of its calls to them.
public final class AgentDesk implements AutoCloseable {
    private static final int ID_BYTES = 18;

    private final AgentInstances instances = new AgentInstances();
    private final InstanceTopic announced;
    private final SpawnedHomes homes;
    private final ReplyDesk replies;
    private final AgentCalls calls;

    /// Topics of agents.
    ///
    /// @param follower follows the announced instances
    /// @param ends reads the topics' ends
    /// @param labels waits until every label is known that an instance has from others
    /// @param replies makes a reader of what agents reply
    public record Wire(Topics topics, PartitionCounts counts, StateFollower follower, TopicOffsets ends,
            LabelWait labels, Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> replies) {
        private List<TopicPartition> partitions(Topic topic) {
            return IntStream.range(0, counts.of(topic))
                    .mapToObj(partition -> new TopicPartition(topics.name(topic), partition)).toList();
        }
    }

    /// Reads nothing yet.
    ///
    /// @param workspace the root of the instances' folders
    /// @param sender of events that are sent by themselves
    public AgentDesk(Wire wire, Path workspace, Supplier<FleetResources> resources, RequestSender sender,
            InstantSource clock) {
        SecureRandom random = new SecureRandom();
        this.announced = new InstanceTopic(wire.partitions(Topic.AGENT_INSTANCE), wire.follower(), wire.ends());
        this.homes = new SpawnedHomes(instances, announced::caughtUp);
        this.replies = new ReplyDesk(id(random), wire.replies(), Set.copyOf(wire.partitions(Topic.AGENT_EVENT)),
                sender);
        this.calls = new AgentCalls(new AgentRoster(resources, instances, announced::caughtUp), replies,
                wire.labels(), new SpawnFolders(workspace), clock, () -> id(random));
    }

    private static String id(SecureRandom random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Follows the announced instances; done when those of now are known.
    public List<CompletableFuture<Void>> follow() {
        return announced.follow(instances);
    }

    /// Returns the access to agents of a call's handler.
    ///
    /// @param workdir of the call
    /// @param deadline of the handler
    /// @param sends collects the events to publish with the call's result
    public AgentToolRuntime of(ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends) {
        return new CallAgents(calls, call, workdir, deadline, sends);
    }

    /// Returns the folder in which a spawned instance works; null for its own.
    public @Nullable String cwd(@Nullable String agent, String instanceKey) {
        return homes.cwd(agent, instanceKey);
    }

    @Override
    public void close() {
        replies.close();
    }
}
