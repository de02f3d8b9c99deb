package dev.toolfleet.worker.agents;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime.Message;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Maker of the events of one call.
///
/// @param call the sending call
/// @param self its agent
record AgentEvents(ToolCall call, AgentAddress self) {
    /// Longest event; the rest of the record is room for key, headers and framing.
    private static final int MAX_BYTES = Topic.AGENT_EVENT.maxRecordBytes() - 32 * 1024;
    private static final WireCodec<AgentEvent> CODEC = WireCodec.of(AgentEvent.class);

    AgentEvent told(String id, AgentAddress to, Message message, Instant now) {
        return checked(event(id, AgentEvent.Type.EVENT, to, name(message, "agent.send"), payload(message), null, null,
                null, null, now, message.metadata()));
    }

    /// @param callers the waiting agents; null if none waits
    AgentEvent asked(String id, AgentAddress to, Message message, String correlationId, AgentReplyTo replyTo,
            @Nullable List<AgentAddress> callers, @Nullable Instant expiresAt, Instant now) {
        return checked(event(id, AgentEvent.Type.DELEGATE, to, name(message, "agent.request"), payload(message),
                correlationId, replyTo, callers, expiresAt, now, message.metadata()));
    }

    AgentEvent spawned(String id, AgentInstance instance, Instant now) {
        ObjectNode payload = Json.MAPPER.createObjectNode();
        if (instance.cwd() != null)
            payload.put("cwd", instance.cwd());
        return event(id, AgentEvent.Type.EVENT, instance.address(), "agent.spawn", payload, null, null, null, null, now,
                null);
    }

    private AgentEvent event(String id, AgentEvent.Type type, AgentAddress to, String name, ObjectNode payload,
            @Nullable String correlationId, @Nullable AgentReplyTo replyTo, @Nullable List<AgentAddress> callers,
            @Nullable Instant expiresAt, Instant now, @Nullable ObjectNode metadata) {
        return new AgentEvent(id, type, self, to, name, payload, null, correlationId, replyTo, callers, call.traceId(),
                call.turnId(), call.userId(), call.channelId(), now, expiresAt, metadata);
    }

    private static String name(Message message, String absent) {
        String name = message.name();
        return name == null ? absent : name;
    }

    private static ObjectNode payload(Message message) {
        return Json.MAPPER.createObjectNode().put("input", message.input());
    }

    private static AgentEvent checked(AgentEvent event) {
        int bytes = CODEC.write(event).length;
        if (bytes > MAX_BYTES) {
            throw new ToolException(ErrorCode.E_TOOL_INVALID_ARGS.name(), "The message has " + bytes
                    + " bytes as JSON; an agent can be sent at most " + MAX_BYTES + ".")
                    .suggestion("Write long text into a file and send its name.");
        }
        return event;
    }
}
