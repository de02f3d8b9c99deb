package dev.toolfleet.wire;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
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
        try (JsonParser parser = Json.STRICT.createParser(value)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? read(parser).call(key) : noObject(value);
        } catch (JacksonException e) {
            return noJson(e.getOriginalMessage());
        }
    }

    private static DecodedCall.Malformed noJson(String why) {
        return new DecodedCall.Malformed(ErrorText.limit("not JSON: " + why, MAX_REASON), null);
    }

    private static DecodedCall noObject(byte[] value) {
        return new DecodedCall.Malformed("a JSON object expected, got " + Json.STRICT.readTree(value).getNodeType(),
                null);
    }

    /// Reads an object without a tree of its own: a worker does this for every call.
    ///
    /// @param parser behind the begin of the object
    private static Reading read(JsonParser parser) {
        Map<Field, JsonNode> found = new EnumMap<>(Field.class);
        Set<String> others = Set.of();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonNode node = parser.nextToken() == JsonToken.VALUE_STRING
                    ? JsonNodeFactory.instance.stringNode(parser.getString())
                    : parser.readValueAsTree();
            Field field = Field.NAMED.get(name);
            boolean first;
            if (field == null) {
                others = others.isEmpty() ? new HashSet<>() : others;
                first = others.add(name);
            } else {
                first = found.put(field, node) == null;
            }
            if (!first)
                throw new StreamReadException(parser, "Duplicate name '" + name + "'");
        }
        if (parser.nextToken() != null)
            throw new StreamReadException(parser, "more follows behind the object");
        return new Reading(found);
    }

    /// Field of a call.
    private enum Field {
        /// Identity of the call, and its tool.
        ID("id"), NAME("name"), IDEMPOTENCY_KEY("idempotencyKey"), CATALOG_DIGEST("catalogDigest"),
        /// Arguments, by any of three names.
        ARGS("args"), ARGUMENTS("arguments"), INPUT("input"),
        /// Caller.
        INSTANCE_KEY("instanceKey"), AGENT_NAME("agentName"), USER_ID("userId"), CHANNEL_ID("channelId"),
        /// Place and time in the caller's run.
        TURN_ID("turnId"), STEP_ID("stepId"), STEP_INDEX("stepIndex"), DEADLINE("deadline"),
        /// Companions of the call.
        TRACE_ID("traceId"), MESSAGE("message"), METADATA("metadata"), CALLERS("callers");

        private static final Map<String, Field> NAMED = Arrays.stream(values())
                .collect(Collectors.toUnmodifiableMap(Field::toString, field -> field));

        private final String text;

        Field(String text) {
            this.text = text;
        }

        /// Its name in JSON.
        @Override
        public String toString() {
            return text;
        }
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

    /// Check of the fields of one call; keeps the first problem.
    private static final class Reading {
        private final Map<Field, JsonNode> found;
        private @Nullable String problem;

        Reading(Map<Field, JsonNode> found) {
            this.found = found;
        }

        DecodedCall call(@Nullable String key) {
            String id = required(Field.ID);
            String name = required(Field.NAME);
            String instanceKey = instanceKey(key);
            ToolCall call = new ToolCall(id, name, args(), instanceKey, id(Field.AGENT_NAME), id(Field.TURN_ID),
                    id(Field.STEP_ID),
                    integer(Field.STEP_INDEX), id(Field.TRACE_ID), id(Field.USER_ID), id(Field.CHANNEL_ID),
                    tree(Field.MESSAGE),
                    instant(Field.DEADLINE), id(Field.CATALOG_DIGEST), object(Field.METADATA), callers(),
                    idempotencyKey());
            if (problem == null)
                return new DecodedCall.Valid(call);
            boolean answerable = !id.isEmpty() && !instanceKey.isEmpty() && instanceKey.length() <= MAX_ANSWERABLE_KEY;
            return new DecodedCall.Malformed(ErrorText.limit(problem, MAX_REASON), answerable ? call : null);
        }

        /// Returns the instance key. A key that is too long is kept, so that its caller gets an answer.
        private String instanceKey(@Nullable String key) {
            String value = text(Field.INSTANCE_KEY);
            if (value == null || value.isEmpty()) {
                fail("'instanceKey' is missing");
                return key == null ? "" : key;
            }
            checkLength(Field.INSTANCE_KEY, value, ToolCall.MAX_INSTANCE_KEY);
            return value;
        }

        private JsonNode args() {
            JsonNode args = tree(Field.ARGS);
            if (args == null)
                args = tree(Field.ARGUMENTS);
            if (args == null)
                args = tree(Field.INPUT);
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
                return checkNumbers(Field.ARGS, Json.STRICT.readTree(text.getBytes(StandardCharsets.UTF_8)));
            } catch (JacksonException e) {
                return args;
            }
        }

        private String required(Field field) {
            String value = id(field);
            if (value != null && !value.isEmpty())
                return value;
            fail("'" + field + "' is missing");
            return "";
        }

        private @Nullable String id(Field field) {
            String value = text(field);
            return value != null && checkLength(field, value, ToolCall.MAX_ID) ? value : null;
        }

        private boolean checkLength(Field field, String value, int max) {
            if (value.length() <= max)
                return true;
            fail("'" + field + "' has " + value.length() + " characters; at most " + max + " are accepted");
            return false;
        }

        private @Nullable String text(Field field) {
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

        private @Nullable JsonNode tree(Field field) {
            JsonNode node = present(field);
            return node == null ? null : checkNumbers(field, node);
        }

        private JsonNode checkNumbers(Field field, JsonNode node) {
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

        private @Nullable Integer integer(Field field) {
            JsonNode node = present(field);
            if (node == null)
                return null;
            if (node.isIntegralNumber() && node.canConvertToInt())
                return node.intValue();
            fail("'" + field + "' must be a whole number, got " + node);
            return null;
        }

        private @Nullable Instant instant(Field field) {
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

        private @Nullable ObjectNode object(Field field) {
            JsonNode node = tree(field);
            if (node == null)
                return null;
            if (node instanceof ObjectNode map)
                return map;
            fail("'" + field + "' must be an object, got " + node.getNodeType());
            return null;
        }

        private @Nullable List<AgentAddress> callers() {
            JsonNode node = present(Field.CALLERS);
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
            String key = text(Field.IDEMPOTENCY_KEY);
            if (key == null || ToolCall.isIdempotencyKey(key))
                return key;
            fail("'idempotencyKey' " + ToolCall.idempotencyKeyRule() + ", got " + key.length() + ": '" + key + "'");
            return null;
        }

        private @Nullable JsonNode present(Field field) {
            JsonNode node = found.get(field);
            return node == null || node.isNull() ? null : node;
        }

        private void fail(String what) {
            if (problem == null)
                problem = what;
        }
    }
}
