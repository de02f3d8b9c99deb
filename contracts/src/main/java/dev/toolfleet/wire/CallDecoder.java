package dev.toolfleet.wire;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Decoder of [ToolCall]s as agent runtimes write them: `args`, or its aliases `arguments` (object or JSON text, as
/// OpenAI sends it) and `input` (as Anthropic does). Never throws on data: a wrong record is returned as
/// [DecodedCall.Malformed].
///
/// **Why.** It is written by hand because a malformed call must still name as much of its caller as can be read.
///
/// Ids and names are at most [ToolCall#MAX_ID] units of well-formed Unicode, numbers must fit a double, and the years
/// of a deadline have four digits.
public final class CallDecoder {
    /// The longest `instanceKey` that gets an answer: the result for a longer one would not fit into a record.
    private static final int MAX_ANSWERABLE_KEY = 12_000;
    /// The longest reason; reasons travel in headers, so quoted values are cut.
    private static final int MAX_REASON = 500;
    private static final Instant FIRST_DEADLINE = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST_DEADLINE = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private CallDecoder() {}

    /// Reads a record of `tool.call`.
    ///
    /// @param key the record's key, which names the instance when the value does not
    /// @param value the record's value
    public static DecodedCall decode(@Nullable String key, byte @Nullable [] value) {
        if (value == null)
            return new DecodedCall.Malformed("the record has no value", null);
        if (!startsLikeUtf8(value))
            return new DecodedCall.Malformed("not JSON: not encoded in UTF-8", null);
        JsonNode root;
        try {
            root = Json.STRICT.readTree(value);
        } catch (JacksonException e) {
            return new DecodedCall.Malformed(ErrorText.limit("not JSON: " + e.getOriginalMessage(), MAX_REASON), null);
        }
        if (!(root instanceof ObjectNode object)) {
            return new DecodedCall.Malformed("a JSON object expected, got " + root.getNodeType(), null);
        }
        return new Reading(object).call(key);
    }

    /// True if the bytes can be UTF-8. The parser would take UTF-16 and UTF-32 too, which RFC 8259 forbids. Their JSON
    /// begins with a zero among four bytes or with a byte order mark, and UTF-8 does not.
    private static boolean startsLikeUtf8(byte[] value) {
        for (int i = 0; i < Math.min(4, value.length); i++) {
            int unsigned = value[i] & 0xff;
            if (unsigned == 0 || unsigned >= 0xfe)
                return false;
        }
        return true;
    }

    private static boolean wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean alone = Character.isHighSurrogate(c)
                    ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
                    : Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
            if (alone)
                return false;
        }
        return true;
    }

    /// One pass over one object; keeps the first problem.
    private static final class Reading {
        private final ObjectNode object;
        private @Nullable String problem;

        Reading(ObjectNode object) {
            this.object = object;
        }

        DecodedCall call(@Nullable String key) {
            String id = required("id");
            String name = required("name");
            String instanceKey = instanceKey(key);
            ToolCall call = new ToolCall(id, name, args(), instanceKey, id("agentName"), id("turnId"), id("stepId"),
                    integer("stepIndex"), id("traceId"), id("userId"), id("channelId"), tree("message"),
                    instant("deadline"), id("catalogDigest"), object("metadata"), callers(), idempotencyKey());
            if (problem == null)
                return new DecodedCall.Valid(call);
            boolean answerable = !id.isEmpty() && !instanceKey.isEmpty() && instanceKey.length() <= MAX_ANSWERABLE_KEY;
            return new DecodedCall.Malformed(ErrorText.limit(problem, MAX_REASON), answerable ? call : null);
        }

        /// Returns the instance key. A key that is too long is kept, so that its caller gets an answer.
        private String instanceKey(@Nullable String key) {
            String value = text("instanceKey");
            if (value == null || value.isEmpty()) {
                fail("'instanceKey' is missing");
                return key == null ? "" : key;
            }
            checkLength("instanceKey", value, ToolCall.MAX_INSTANCE_KEY);
            return value;
        }

        private JsonNode args() {
            JsonNode args = tree("args");
            if (args == null)
                args = tree("arguments");
            if (args == null)
                args = tree("input");
            if (args == null)
                return JsonNodeFactory.instance.objectNode();
            return args.isString() ? inText(args) : args;
        }

        /// Parses arguments in text. Text that is not JSON stays text: argument validation then names the expected
        /// type.
        private JsonNode inText(JsonNode args) {
            String text = args.stringValue();
            if (text.isBlank())
                return JsonNodeFactory.instance.objectNode();
            if (!wellFormed(text))
                return args;
            try {
                return checkNumbers("args", Json.STRICT.readTree(text.getBytes(StandardCharsets.UTF_8)));
            } catch (JacksonException e) {
                return args;
            }
        }

        private String required(String field) {
            String value = id(field);
            if (value != null && !value.isEmpty())
                return value;
            fail("'" + field + "' is missing");
            return "";
        }

        private @Nullable String id(String field) {
            String value = text(field);
            return value != null && checkLength(field, value, ToolCall.MAX_ID) ? value : null;
        }

        private boolean checkLength(String field, String value, int max) {
            if (value.length() <= max)
                return true;
            fail("'" + field + "' has " + value.length() + " characters; at most " + max + " are accepted");
            return false;
        }

        private @Nullable String text(String field) {
            JsonNode node = present(field);
            if (node == null)
                return null;
            if (!node.isString()) {
                fail("'" + field + "' must be text, got " + node.getNodeType());
                return null;
            }
            // Half a surrogate pair has no UTF-8 form. Otherwise: as a key it equals every other such half.
            if (!wellFormed(node.stringValue())) {
                fail("'" + field + "' is not well-formed Unicode");
                return null;
            }
            return node.stringValue();
        }

        private @Nullable JsonNode tree(String field) {
            JsonNode node = present(field);
            return node == null ? null : checkNumbers(field, node);
        }

        private JsonNode checkNumbers(String field, JsonNode node) {
            if (finite(node))
                return node;
            // Left out of the caller's answer: it has no canonical form.
            fail("'" + field + "' holds a number beyond the range of a double");
            return JsonNodeFactory.instance.objectNode();
        }

        private static boolean finite(JsonNode node) {
            for (JsonNode child : node) {
                if (!finite(child))
                    return false;
            }
            return !node.isDouble() || Double.isFinite(node.doubleValue());
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
                Instant instant = Instant.parse(text);
                if (!instant.isBefore(FIRST_DEADLINE) && !instant.isAfter(LAST_DEADLINE))
                    return instant;
            } catch (DateTimeParseException e) {
                // Reported below, like an instant outside the calendar's range.
            }
            fail("'" + field + "' must be an instant such as 2026-11-21T20:00:00Z, got '" + text + "'");
            return null;
        }

        private @Nullable ObjectNode object(String field) {
            JsonNode node = tree(field);
            if (node == null)
                return null;
            if (node instanceof ObjectNode map)
                return map;
            fail("'" + field + "' must be an object, got " + node.getNodeType());
            return null;
        }

        private @Nullable List<AgentAddress> callers() {
            JsonNode node = present("callers");
            if (node == null)
                return null;
            List<AgentAddress> callers = new ArrayList<>();
            for (JsonNode caller : node) {
                if (caller.path("agent").isString() && caller.path("instanceKey").isString())
                    callers.add(new AgentAddress(caller.path("agent").stringValue(),
                            caller.path("instanceKey").stringValue()));
            }
            if (node.isArray() && callers.size() == node.size())
                return callers;
            fail("'callers' must be an array of objects with agent and instanceKey, as an agent.event brought it");
            return null;
        }

        private @Nullable String idempotencyKey() {
            String key = text("idempotencyKey");
            if (key == null || ToolCall.isIdempotencyKey(key))
                return key;
            fail("'idempotencyKey' " + ToolCall.idempotencyKeyRule() + ", got " + key.length() + ": '" + key + "'");
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
