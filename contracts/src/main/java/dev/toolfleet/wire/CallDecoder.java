package dev.toolfleet.wire;

import java.time.Instant;
import java.time.format.DateTimeParseException;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads [ToolCall]s as agent runtimes write them: `args`, or its aliases
/// `arguments` (object or JSON text, as OpenAI
/// sends it) and `input` (as Anthropic does). Never throws on data: what is
/// wrong comes back as
/// [DecodedCall.Malformed]. Written by hand because a malformed call must still
/// name as much of its caller as can be read.
public final class CallDecoder {
    private CallDecoder() {}

    /// Reads a record of `tool.call`.
    ///
    /// @param key
    ///            the record's key, which names the instance when the value does not
    /// @param value
    ///            the record's value
    public static DecodedCall decode(@Nullable String key, byte @Nullable [] value) {
        if (value == null)
            return new DecodedCall.Malformed("the record has no value", null);
        JsonNode root;
        try {
            root = Json.MAPPER.readTree(value);
        } catch (JacksonException e) {
            return new DecodedCall.Malformed("not JSON: " + e.getOriginalMessage(), null);
        }
        if (!(root instanceof ObjectNode object)) {
            return new DecodedCall.Malformed("a JSON object expected, got " + root.getNodeType(), null);
        }
        return new Reading(object).call(key);
    }

    /// One pass over one object; remembers the first thing that is wrong.
    private static final class Reading {
        private final ObjectNode object;
        private @Nullable String problem;

        Reading(ObjectNode object) {
            this.object = object;
        }

        DecodedCall call(@Nullable String key) {
            String id = required("id");
            String name = required("name");
            String instanceKey = required("instanceKey");
            if (instanceKey != null && instanceKey.length() > ToolCall.MAX_INSTANCE_KEY) {
                fail("instanceKey has " + instanceKey.length() + " characters; at most " + ToolCall.MAX_INSTANCE_KEY
                        + " are accepted");
            }
            ToolCall call = new ToolCall(id == null ? "" : id, name == null ? "" : name, args(),
                    instanceKey != null ? instanceKey : key == null ? "" : key, text("agentName"), text("turnId"),
                    text("stepId"), integer("stepIndex"), text("traceId"), text("userId"), text("channelId"),
                    present("message"), instant("deadline"), text("catalogDigest"), object("metadata"));
            if (problem == null)
                return new DecodedCall.Valid(call);
            boolean nameable = !call.id().isEmpty() && !call.instanceKey().isEmpty();
            return new DecodedCall.Malformed(problem, nameable ? call : null);
        }

        private JsonNode args() {
            JsonNode args = present("args");
            if (args == null)
                args = present("arguments");
            if (args == null)
                args = present("input");
            if (args == null)
                return JsonNodeFactory.instance.objectNode();
            if (!args.isString())
                return args;
            try {
                return args.stringValue().isBlank()
                        ? JsonNodeFactory.instance.objectNode()
                        : Json.MAPPER.readTree(args.stringValue());
            } catch (JacksonException e) {
                // Text that is no JSON stays text: argument validation then says what it should have been.
                return args;
            }
        }

        private @Nullable String required(String field) {
            String value = text(field);
            if (value == null || value.isEmpty()) {
                fail("'" + field + "' is missing");
                return null;
            }
            return value;
        }

        private @Nullable String text(String field) {
            JsonNode node = present(field);
            if (node == null)
                return null;
            if (node.isString())
                return node.stringValue();
            fail("'" + field + "' must be text, got " + node.getNodeType());
            return null;
        }

        private @Nullable Integer integer(String field) {
            JsonNode node = present(field);
            if (node == null)
                return null;
            if (node.isIntegralNumber() && node.canConvertToInt())
                return node.intValue();
            fail("'" + field + "' must be a whole number, got " + node);
            return null;
        }

        private @Nullable Instant instant(String field) {
            String text = text(field);
            if (text == null)
                return null;
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException e) {
                fail("'" + field + "' must be an instant such as 2026-11-21T20:00:00Z, got '" + text + "'");
                return null;
            }
        }

        private @Nullable ObjectNode object(String field) {
            JsonNode node = present(field);
            if (node == null)
                return null;
            if (node instanceof ObjectNode map)
                return map;
            fail("'" + field + "' must be an object, got " + node.getNodeType());
            return null;
        }

        private @Nullable JsonNode present(String field) {
            JsonNode node = object.get(field);
            return node == null || node.isNull() ? null : node;
        }

        private void fail(String what) {
            if (problem == null)
                problem = what;
        }
    }
}
