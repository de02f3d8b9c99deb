package dev.toolfleet.worker.tools.agents;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.AgentToolRuntime.Message;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `agents`: hands work to other agents, sends them messages, spawns instances of them, and lists the
/// agents. It only translates: [AgentToolRuntime] does the work, for every handler.
public final class AgentsModule implements ToolModule {
    /// More are counted and not listed.
    private static final int MAX_LISTED = 200;

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("request", AgentsModule::request, "send", AgentsModule::send, "spawn", AgentsModule::spawn,
                "list", AgentsModule::list, "catalog", AgentsModule::catalog);
    }

    /// A message that a handler sends is published in the same transaction as its call's result. A call without a
    /// result has sent nothing. If the lost worker still ends the call, the broker refuses its transaction.
    @Override
    public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) {
        return Reconciliation.didNotHappen();
    }

    private static ToolOutput request(ToolContext ctx, ObjectNode input) {
        Arguments args = new Arguments(input);
        Message message = message(args, input);
        long timeout = args.number("timeoutMs", AgentToolRuntime.DEFAULT_TIMEOUT.toMillis());
        if (timeout < 1)
            throw Arguments.invalid("'timeoutMs' must be at least 1");
        if (!args.flag("async", false))
            return runtime(ctx).delegate(message, Duration.ofMillis(timeout));
        return ToolOutput.of(sent(runtime(ctx).requestLater(message)).put("async", true).putNull("response"));
    }

    private static ToolOutput send(ToolContext ctx, ObjectNode input) {
        return ToolOutput.of(sent(runtime(ctx).send(message(new Arguments(input), input))));
    }

    private static ToolOutput spawn(ToolContext ctx, ObjectNode input) {
        Arguments args = new Arguments(input);
        AgentToolRuntime.Spawned spawned = runtime(ctx).spawn(args.requiredText("target"),
                optional(args, "instanceKey"), optional(args, "cwd"));
        return ToolOutput.of(Json.MAPPER.createObjectNode().put("target", spawned.target())
                .put("instanceKey", spawned.instanceKey()).put("spawned", spawned.spawned())
                .put("cwd", spawned.cwd()));
    }

    private static ToolOutput list(ToolContext ctx, ObjectNode input) {
        List<AgentInstance> found = runtime(ctx).list(new Arguments(input).flag("includeAll", false));
        ObjectNode result = Json.MAPPER.createObjectNode().put("count", found.size());
        ArrayNode agents = result.putArray("agents");
        for (AgentInstance instance : found.subList(0, Math.min(MAX_LISTED, found.size()))) {
            AgentAddress owner = instance.owner();
            agents.addObject().put("target", instance.agent()).put("instanceKey", instance.instanceKey())
                    .put("ownerAgent", owner == null ? null : owner.agent())
                    .put("ownerInstanceKey", owner == null ? null : owner.instanceKey())
                    .put("createdAt", instance.spawnedAt().toString()).put("cwd", instance.cwd())
                    .put("status", instance.status().name().toLowerCase(Locale.ROOT));
        }
        return ToolOutput.of(result);
    }

    private static ToolOutput catalog(ToolContext ctx, ObjectNode input) {
        AgentToolRuntime.Directory found = runtime(ctx).catalog();
        ObjectNode result = Json.MAPPER.createObjectNode().put("swarmName", found.swarm())
                .put("entryAgent", found.entryAgent()).put("selfAgent", found.self())
                .put("availableCount", found.available().size()).put("callableCount", found.callable().size());
        found.available().forEach(result.putArray("availableAgents")::add);
        found.callable().forEach(result.putArray("callableAgents")::add);
        return ToolOutput.of(result);
    }

    private static ObjectNode sent(AgentToolRuntime.Sent sent) {
        ObjectNode result = Json.MAPPER.createObjectNode().put("target", sent.target())
                .put("instanceKey", sent.instanceKey()).put("eventId", sent.eventId());
        if (sent.correlationId() != null)
            result.put("correlationId", sent.correlationId());
        return result.put("accepted", true);
    }

    private static Message message(Arguments args, ObjectNode input) {
        return new Message(args.requiredText("target"), args.requiredText("input"), optional(args, "instanceKey"),
                optional(args, "eventType"), input.get("metadata") instanceof ObjectNode metadata ? metadata : null);
    }

    private static @Nullable String optional(Arguments args, String key) {
        return args.input().has(key) ? args.requiredText(key) : null;
    }

    private static AgentToolRuntime runtime(ToolContext ctx) {
        return ctx.runtime().orElseThrow(() -> new ToolException("E_AGENT_RUNTIME_MISSING",
                "There are no agents here: this call runs without a fleet around it.")
                .suggestion("Do the work yourself."));
    }
}
