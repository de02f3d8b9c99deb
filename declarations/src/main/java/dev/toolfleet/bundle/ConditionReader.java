package dev.toolfleet.bundle;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.toolfleet.bundle.ArgCondition.Test;
import dev.toolfleet.bundle.ParsedCondition.Faulty;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of conditions on arguments: compiles their places and tests, and reports the problems of unusable ones.
final class ConditionReader {
    private static final int LONGEST_PATH = 256;
    private static final int LONGEST_PATTERN = 1_000;
    private static final int MOST_VALUES = 1_000;
    private static final String EXAMPLE = "Write {path: /amount, greaterThan: 1000}.";

    private ConditionReader() {}

    /// Carries a problem to [ParsedCondition#of].
    static final class Unusable extends RuntimeException {
        private final transient Faulty faulty;

        Unusable(@Nullable String key, String problem, String hint) {
            super(problem, null, false, false);
            this.faulty = new Faulty(key, problem, hint);
        }

        Faulty faulty() {
            return faulty;
        }
    }

    static ArgCondition read(JsonNode json) {
        if (!(json instanceof ObjectNode condition))
            throw new Unusable(null, "is no mapping", EXAMPLE);
        for (String field : condition.propertyNames()) {
            if (!ParsedCondition.FIELDS.contains(field))
                throw new Unusable(field, "is an unknown field", "A condition has path and one of "
                        + String.join(", ", ParsedCondition.TESTS) + ".");
        }
        List<String> tests = ParsedCondition.TESTS.stream().filter(condition::has).toList();
        if (tests.size() != 1)
            throw new Unusable(null,
                    tests.isEmpty() ? "tests nothing" : "has several tests, " + String.join(", ", tests),
                    "Give each condition one of " + String.join(", ", ParsedCondition.TESTS)
                            + "; all conditions of a rule count together.");
        JsonPointer path = path(condition.path(ArgCondition.PATH));
        String key = tests.getFirst();
        JsonNode value = condition.path(key);
        ObjectNode written = Json.MAPPER.createObjectNode().put(ArgCondition.PATH, path.toString());
        written.set(key, key.equals("in") ? sorted(value) : value);
        return new ArgCondition(path, test(key, value), written);
    }

    private static Test test(String key, JsonNode value) {
        return switch (key) {
            case "equals" -> oneOf(key, List.of(value));
            case "in" -> oneOf(key, List.copyOf(values(value)));
            case "glob" -> glob(value);
            case "matches" -> matching(value);
            case "lessThan" -> new ArgCondition.Beyond(number(key, value), -1);
            case "greaterThan" -> new ArgCondition.Beyond(number(key, value), 1);
            case "exists" -> {
                if (!value.isBoolean())
                    throw wrong(key, value, "true or false",
                            "Write exists: true, or exists: false for a missing value.");
                yield new ArgCondition.Exists(value.booleanValue());
            }
            default -> throw new IllegalArgumentException(key);
        };
    }

    private static JsonPointer path(JsonNode path) {
        String text = path.asString("");
        if (!path.isString() || text.isBlank())
            throw new Unusable(ArgCondition.PATH, path.isMissingNode() ? "is missing" : "is no text",
                    "Name the argument by a JSON Pointer, such as /amount or /to/0/account.");
        if (text.startsWith("$"))
            throw new Unusable(ArgCondition.PATH, "'" + text + "' is no JSON Pointer", "Write " + pointer(text) + ".");
        if (!text.startsWith("/"))
            throw new Unusable(ArgCondition.PATH, "'" + text + "' does not begin with /", "Write /"
                    + text.replace('.', '/') + ".");
        if (text.length() > LONGEST_PATH)
            throw new Unusable(ArgCondition.PATH, "is longer than " + LONGEST_PATH + " characters", "Shorten it.");
        if (text.matches("(?s).*~([^01].*|$)"))
            throw new Unusable(ArgCondition.PATH, "'" + text + "' has a ~ that stands for nothing",
                    "Write ~0 for ~, and ~1 for / in a name.");
        return JsonPointer.compile(text);
    }

    /// Returns the JSON Pointer for a path such as `$.a.b[0]`.
    private static String pointer(String path) {
        return path.replaceFirst("^\\$", "").replaceAll("\\[['\"]?([^\\]'\"]*)['\"]?\\]", "/$1").replace('.', '/');
    }

    private static Test oneOf(String key, List<JsonNode> values) {
        Set<String> texts = new HashSet<>();
        List<BigDecimal> numbers = new ArrayList<>();
        Set<Boolean> flags = new HashSet<>();
        for (JsonNode value : values) {
            if (value.isString())
                texts.add(value.stringValue());
            else if (value.isBoolean())
                flags.add(value.booleanValue());
            else if (value.isNumber())
                numbers.add(number(key, value));
            else
                throw wrong(key, value, key.equals("in")
                        ? "a list of texts, numbers, true and false"
                        : "a text, a number, true or false",
                        "A deeper value has its own path, such as /to/account; for an absent value write exists.");
        }
        return new ArgCondition.OneOf(texts, numbers, flags);
    }

    private static List<JsonNode> values(JsonNode list) {
        if (!list.isArray() || list.isEmpty() || list.size() > MOST_VALUES)
            throw wrong("in", list, "a list of 1 to " + MOST_VALUES + " values", "For a single value write equals.");
        return List.copyOf(list.values());
    }

    private static JsonNode sorted(JsonNode list) {
        var sorted = Json.MAPPER.createArrayNode();
        values(list).stream().sorted((one, other) -> CanonicalJson.of(one).compareTo(CanonicalJson.of(other)))
                .distinct()
                .forEach(sorted::add);
        return sorted;
    }

    private static Test glob(JsonNode value) {
        if (!value.isString())
            throw wrong("glob", value, "a text in which * stands for anything", "Quote it: glob: \"/srv/*\".");
        try {
            return new ArgCondition.Like(Glob.ofText(value.stringValue()));
        } catch (IllegalArgumentException e) {
            throw new Unusable("glob", "cannot be used: " + e.getMessage(), "Shorten it, or write several rules.");
        }
    }

    /// Makes a pattern test. A dot also stands for line ends: the result must not depend on the position of a line end.
    private static Test matching(JsonNode value) {
        if (!value.isString() || value.stringValue().isEmpty() || value.stringValue().length() > LONGEST_PATTERN)
            throw wrong("matches", value, "a pattern of 1 to " + LONGEST_PATTERN + " characters",
                    "Write it in '…', so that YAML leaves its backslashes alone.");
        try {
            return new ArgCondition.Matching(Pattern.compile(value.stringValue(), Pattern.DOTALL));
        } catch (PatternSyntaxException e) {
            throw new Unusable("matches", "'" + value.stringValue() + "' is no RE2 pattern: " + e.getDescription()
                    + (Optional.ofNullable(e.getPattern()).orElse("").isEmpty() ? "" : " at '" + e.getPattern() + "'"),
                    "RE2 has no look-around and no back-references; write several rules instead.");
        }
    }

    private static BigDecimal number(String key, JsonNode value) {
        if (!value.isNumber() || (value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue())))
            throw wrong(key, value, "a number", value.isString() ? "Leave the quotes out." : EXAMPLE);
        return value.decimalValue();
    }

    private static Unusable wrong(String key, JsonNode value, String expected, String hint) {
        String was = value.toString();
        return new Unusable(key, "must be " + expected + ", and is "
                + (was.length() > 60 ? was.substring(0, 60) + "…" : was), hint);
    }
}
