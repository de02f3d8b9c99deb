package dev.toolfleet.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// An [AgentToolRuntime] in memory, for tests of handlers: a swarm of named agents that answer every request with the
/// same function of its input. The caller is `agent-1` in `instance-1`, as in [FakeToolContext].
///
/// ```java
/// var agents = new FakeAgentRuntime(List.of("reviewer"), input -> "Looks good: " + input);
/// var ctx = FakeToolContext.create().runtime(agents);
/// ```
///
/// Thread-safe.
public final class FakeAgentRuntime implements AgentToolRuntime {
    private static final AgentAddress SELF = new AgentAddress("agent-1", "instance-1");

    private final List<String> agents;
    private final UnaryOperator<String> answers;
    private final List<Message> sent = new ArrayList<>();
    private final Map<String, AgentInstance> instances = new LinkedHashMap<>();

    /// @param agents the names of the callable agents
    /// @param answers maps an input to an agent's answer
    public FakeAgentRuntime(List<String> agents, UnaryOperator<String> answers) {
        this.agents = List.copyOf(agents);
        this.answers = answers;
    }

    /// Returns all messages of handlers so far, requests too.
    public synchronized List<Message> sent() {
        return List.copyOf(sent);
    }

    @Override
    public ToolOutput.Pending delegate(Message message, Duration timeout) {
        Sent request = sent(message, true);
        return ToolOutput.pending(String.valueOf(request.correlationId()),
                Json.MAPPER.<JsonNode>valueToTree(request)).silentAtMost(timeout);
    }

    @Override
    public Answer ask(Message message, Duration timeout) {
        Sent request = sent(message, true);
        return new Answer(request.target(), StringNode.valueOf(answers.apply(message.input())),
                "answer-to-" + request.eventId(), String.valueOf(request.correlationId()));
    }

    @Override
    public Sent requestLater(Message message) {
        return sent(message, true);
    }

    @Override
    public Sent send(Message message) {
        return sent(message, false);
    }

    private synchronized Sent sent(Message message, boolean request) {
        check(message.target());
        sent.add(message);
        return new Sent(message.target(), instanceKey(message), "event-" + sent.size(),
                request ? "request-" + sent.size() : null);
    }

    private static String instanceKey(Message message) {
        String key = message.instanceKey();
        return key == null ? SELF.instanceKey() : key;
    }

    private void check(String target) {
        if (!agents.contains(target))
            throw new ToolException("E_AGENT_NOT_FOUND", "No agent '" + target + "'.").suggestion("Call " + agents);
    }

    @Override
    public synchronized Spawned spawn(String target, @Nullable String name, @Nullable String cwd) {
        check(target);
        String key = SELF.instanceKey() + "/" + (name == null ? target + "-" + (instances.size() + 1) : name);
        AgentInstance made = new AgentInstance(target, key, SELF, cwd, AgentInstance.Status.SPAWNED, Instant.EPOCH,
                null);
        AgentInstance there = instances.putIfAbsent(made.key(), made);
        return new Spawned(target, key, there == null, there == null ? cwd : there.cwd());
    }

    @Override
    public synchronized List<AgentInstance> list(boolean all) {
        return List.copyOf(instances.values());
    }

    @Override
    public Directory catalog() {
        List<String> everybody = new ArrayList<>(agents);
        everybody.add(SELF.agent());
        return new Directory("swarm-1", SELF.agent(), SELF.agent(), everybody, agents);
    }
}
