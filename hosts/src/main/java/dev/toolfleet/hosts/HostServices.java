package dev.toolfleet.hosts;

import java.time.Duration;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.AgentToolRuntime.Message;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Messages of a host about one call: progress, log lines, and the services that the handler requests, in the shapes of
/// the seed (tool API v0.0.3, `runtime`).
///
/// @param ctx the call's own
/// @param tokens the source of tokens of its Tool
record HostServices(ToolContext ctx, TokenSource tokens) implements HostRequest.Listener {
    @Override
    public ToolContext context() {
        return ctx;
    }

    @Override
    public void progress(JsonNode params) {
        JsonNode percent = params.path("percent");
        ctx.progress(percent.isNumber() ? Double.valueOf(Math.clamp(percent.doubleValue(), 0, 100)) : null,
                params.path("message").stringValue(null));
    }

    @Override
    public void log(String level, String message) {
        HostLog.write(ctx.logger(), level, message);
    }

    @Override
    public JsonNode service(String name, JsonNode params) throws ServiceException, InterruptedException {
        if (name.equals("oauth.token"))
            return token(params);
        AgentToolRuntime runtime = ctx.runtime().orElseThrow(() -> new ServiceException("E_AGENT_CALLER_UNKNOWN",
                "There are no other agents here.", null));
        try {
            return switch (name) {
                case "runtime.request" -> request(runtime, params);
                case "runtime.send" -> send(runtime, params);
                case "runtime.spawn" -> Json.MAPPER.valueToTree(runtime.spawn(text(params, "target"),
                        params.path("instanceKey").stringValue(null), params.path("cwd").stringValue(null)));
                case "runtime.list" -> list(runtime, params);
                case "runtime.catalog" -> catalog(runtime.catalog());
                default -> throw new ServiceException("E_HOST_SERVICE", "There is no service '" + name + "' here.",
                        null);
            };
        } catch (ToolException e) {
            throw new ServiceException(e.code(), String.valueOf(e.getMessage()), e.suggestion());
        }
    }

    /// Returns the answer in the shape of the seed (v0.8, `getAccessToken`).
    private JsonNode token(JsonNode params) {
        JsonNode least = params.path("minTtlMs");
        TokenAnswer answer = tokens.get(ctx, least.isNumber()
                ? Duration.ofMillis(Math.max(0, least.longValue()))
                : TokenSource.MIN_TTL,
                params.path("scopes").values().stream().map(scope -> scope.stringValue("")).toArray(String[]::new));
        return switch (answer) {
            case TokenAnswer.Ready ready -> {
                ObjectNode json = JsonNodeFactory.instance.objectNode().put("status", "ready")
                        .put("accessToken", ready.accessToken()).put("tokenType", ready.tokenType());
                if (ready.expiresAt() != null)
                    json.put("expiresAt", ready.expiresAt().toString());
                ArrayNode scopes = json.putArray("scopes");
                ready.scopes().forEach(scopes::add);
                yield json;
            }
            case TokenAnswer.Required required -> required.output();
            case TokenAnswer.Failed(String code, String message) -> {
                ObjectNode json = JsonNodeFactory.instance.objectNode().put("status", "error");
                json.putObject("error").put("code", code).put("message", message);
                yield json;
            }
        };
    }

    private static JsonNode request(AgentToolRuntime runtime, JsonNode params)
            throws ServiceException, InterruptedException {
        JsonNode timeout = params.path("timeoutMs");
        AgentToolRuntime.Answer answer = runtime.ask(message(params), timeout.isNumber()
                ? Duration.ofMillis(timeout.longValue())
                : AgentToolRuntime.DEFAULT_TIMEOUT);
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("eventId", answer.eventId())
                .put("target", answer.target());
        json.set("response", answer.response());
        return json.put("correlationId", answer.correlationId());
    }

    private static JsonNode send(AgentToolRuntime runtime, JsonNode params) throws ServiceException {
        AgentToolRuntime.Sent sent = runtime.send(message(params));
        return JsonNodeFactory.instance.objectNode().put("eventId", sent.eventId()).put("target", sent.target())
                .put("instanceKey", sent.instanceKey()).put("accepted", true);
    }

    private static JsonNode list(AgentToolRuntime runtime, JsonNode params) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode agents = answer.putArray("agents");
        for (AgentInstance instance : runtime.list(params.path("includeAll").booleanValue(false))) {
            ObjectNode agent = agents.addObject().put("target", instance.agent()).put("instanceKey",
                    instance.instanceKey());
            AgentAddress owner = instance.owner();
            if (owner != null)
                agent.put("ownerAgent", owner.agent()).put("ownerInstanceKey", owner.instanceKey());
            agent.put("createdAt", instance.spawnedAt().toString());
            if (instance.cwd() != null)
                agent.put("cwd", instance.cwd());
        }
        return answer;
    }

    private static JsonNode catalog(AgentToolRuntime.Directory directory) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (directory.swarm() != null)
            answer.put("swarmName", directory.swarm());
        if (directory.entryAgent() != null)
            answer.put("entryAgent", directory.entryAgent());
        answer.put("selfAgent", directory.self());
        directory.available().forEach(answer.putArray("availableAgents")::add);
        directory.callable().forEach(answer.putArray("callableAgents")::add);
        return answer;
    }

    private static Message message(JsonNode params) throws ServiceException {
        JsonNode event = params.path("event");
        JsonNode input = event.isString() ? event : event.path("input");
        return new Message(text(params, "target"), input.isString() ? input.stringValue() : input.toString(),
                event.path("instanceKey").stringValue(null), event.path("name").stringValue(null),
                event.path("metadata") instanceof ObjectNode metadata ? metadata : null);
    }

    private static String text(JsonNode params, String field) throws ServiceException {
        String text = params.path(field).stringValue(null);
        if (text == null || text.isBlank())
            throw new ServiceException("E_TOOL_INVALID_ARGS", "'" + field + "' must be a text.", null);
        return text;
    }
}
