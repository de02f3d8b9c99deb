package dev.toolfleet.worker.agents;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A swarm `team` of planner, coder and reviewer, an agent `loner` in none, and the calls of these.
final class AgentFixture {
    static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final WireCodec<AgentInstance> CODEC = WireCodec.of(AgentInstance.class);

    final AgentInstances instances = new AgentInstances();
    final AgentSends sends = new AgentSends();
    final List<AgentEvent> asked = new ArrayList<>();
    private final ObjectNode swarm = resource("Swarm", "team");
    private final ResourceTable resources = new ResourceTable();
    private final AtomicInteger ids = new AtomicInteger();
    private final Path root;
    private final Path workdir;
    @Nullable
    AgentEvent answer;
    boolean labelsKnown = true;

    AgentFixture(Path root, Path workdir) {
        this.root = root;
        this.workdir = workdir;
        ObjectNode spec = swarm.putObject("spec").put("entryAgent", "Agent/planner");
        List.of("planner", "coder", "reviewer").forEach(name -> spec.withArray("agents").add("Agent/" + name));
        apply();
    }

    private void apply() {
        RevisionPlan plan = RevisionPlan.of("acme",
                List.of(declared(agent("planner")), declared(agent("coder")), declared(agent("reviewer")),
                        declared(agent("loner")), declared(swarm)),
                resources);
        plan.entries().forEach(entry -> resources.apply(entry.key(), entry.value()));
    }

    /// From now on the swarm's agents may address other conversations.
    AgentFixture crossing() {
        swarm.withObject("spec").put("crossInstance", true);
        apply();
        return this;
    }

    /// Announces a conversation of a user.
    AgentFixture announced(String agent, String instanceKey, @Nullable String user, @Nullable String channel) {
        AgentInstance instance = new AgentInstance(agent, instanceKey, null, null, AgentInstance.Status.RUNNING, NOW,
                "r1", user, channel);
        instances.apply(0, instance.key(), CODEC.write(instance), 0);
        return this;
    }

    private static RevisionPlan.Declared declared(ObjectNode resource) {
        return new RevisionPlan.Declared(resource, Map.of());
    }

    private static ObjectNode agent(String name) {
        ObjectNode agent = resource("Agent", name);
        agent.putObject("spec");
        return agent;
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }

    /// Announces an instance, as the topic would.
    AgentFixture announced(String agent, String instanceKey, @Nullable AgentAddress owner, @Nullable String cwd) {
        AgentInstance instance = new AgentInstance(agent, instanceKey, owner, cwd, AgentInstance.Status.SPAWNED, NOW,
                null);
        instances.apply(0, instance.key(), CODEC.write(instance), 0);
        return this;
    }

    AgentToolRuntime callOf(@Nullable String agent, String instanceKey, AgentAddress... callers) {
        ToolCall call = new ToolCall("c1", "agents__x", JsonNodeFactory.instance.objectNode(), instanceKey, agent,
                "turn-1", "step-1", 0, "trace-1", "user-1", "channel-1", null, null, null, null, List.of(callers),
                null);
        AgentReplies replies = new AgentReplies() {
            @Override
            public AgentAddress address() {
                return new AgentAddress("@worker", "here");
            }

            @Override
            public @Nullable AgentEvent ask(AgentEvent request, Duration atMost) {
                asked.add(request);
                return answer;
            }
        };
        AgentCalls shared = new AgentCalls(new AgentRoster(resources::view, instances, () -> true), replies,
                () -> labelsKnown, new SpawnFolders(root), () -> NOW, () -> "id" + ids.incrementAndGet());
        return new CallAgents(shared, call, () -> workdir, NOW.plusSeconds(30), sends);
    }
}
