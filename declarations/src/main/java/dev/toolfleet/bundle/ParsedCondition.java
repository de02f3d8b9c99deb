package dev.toolfleet.bundle;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Result of reading a condition: usable, or with its problem.
public sealed interface ParsedCondition {
    /// The tests; a condition has exactly one of them.
    List<String> TESTS = List.of("equals", "in", "glob", "matches", "lessThan", "greaterThan", "exists");

    /// All fields of a condition.
    Set<String> FIELDS = fields();

    /// A condition that can be used.
    record Usable(ArgCondition condition) implements ParsedCondition {}

    /// An unusable condition.
    ///
    /// @param key of the wrong part of the condition; null for the condition as a whole
    /// @param problem a clause that follows the key, as in "is no number"
    /// @param hint the way out
    record Faulty(@Nullable String key, String problem, String hint) implements ParsedCondition {}

    /// Reads a condition.
    static ParsedCondition of(JsonNode json) {
        try {
            return new Usable(ConditionReader.read(json));
        } catch (ConditionReader.Unusable e) {
            return e.faulty();
        }
    }

    private static Set<String> fields() {
        Set<String> fields = new TreeSet<>(TESTS);
        fields.add(ArgCondition.PATH);
        return Set.copyOf(fields);
    }
}
