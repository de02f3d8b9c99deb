package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.toolfleet.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Rules with conditions, decided by the engine and by a minimal oracle: for each rule a table of three outcomes, and
/// four questions to all rules of one stage. The tool is denied by default.
class ConditionPropertyTest {
    /// A condition on one of the two arguments, with its test written down twice: as JSON, and as code.
    record Condition(String argument, String test, String value) {
        String json() {
            return "{path: /" + argument + ", " + test + ": " + value + "}";
        }

        /// Returns true, false, or null for an undecided condition.
        @Nullable
        Boolean outcome(@Nullable Object given) {
            return switch (test) {
                case "exists" -> (given != null) == Boolean.parseBoolean(value);
                case "equals" -> given instanceof String text ? text.equals(value) : null;
                case "in" -> given instanceof String text ? value.contains("\"" + text + "\"") : null;
                case "glob" -> given instanceof String text ? text.startsWith(value.substring(1, 2)) : null;
                case "matches" -> given instanceof String text ? text.length() == 2 : null;
                case "lessThan" -> given instanceof Integer number ? number < Integer.parseInt(value) : null;
                default -> given instanceof Integer number ? number > Integer.parseInt(value) : null;
            };
        }
    }

    record Rule(String verdict, List<Condition> conditions) {
        String json() {
            return "{tool: box__plain, verdict: " + verdict + (conditions.isEmpty()
                    ? "}"
                    : ", when: {args: [" + String.join(", ", conditions.stream().map(Condition::json).toList())
                            + "]}}");
        }

        @Nullable
        Boolean outcome(Arguments arguments) {
            List<@Nullable Boolean> all = new ArrayList<>();
            for (Condition condition : conditions)
                all.add(condition.outcome(condition.argument().equals("a") ? arguments.a() : arguments.b()));
            if (all.contains(false))
                return false;
            return all.contains(null) ? null : Boolean.TRUE;
        }
    }

    /// @param a null when it is missing
    record Arguments(@Nullable Object a, @Nullable Object b) {
        JsonNode json() {
            ObjectNode json = Json.MAPPER.createObjectNode();
            if (a != null)
                json.set("a", Json.MAPPER.valueToTree(a));
            if (b != null)
                json.set("b", Json.MAPPER.valueToTree(b));
            return json;
        }
    }

    @Property(seed = "31", tries = 3000, edgeCases = EdgeCasesMode.NONE)
    void theEngineDecidesAsTheOracle(@ForAll("rules") List<Rule> rules, @ForAll("arguments") Arguments arguments) {
        assertThat(decide(rules, arguments)).as("%s %s", rules, arguments).isEqualTo(oracle(rules, arguments));
    }

    /// Taking an argument away, or giving it another type, opens nothing.
    @Property(seed = "32", tries = 3000, edgeCases = EdgeCasesMode.NONE)
    void whatIsMissingNeverAllowsWhatNoPresentValueAllows(@ForAll("rules") List<Rule> all,
            @ForAll("arguments") Arguments arguments) {
        // A rule with exists: false requires a missing value.
        List<Rule> rules = all.stream().filter(rule -> rule.conditions().stream()
                .noneMatch(condition -> condition.test().equals("exists"))).toList();
        boolean whole = rules.stream().allMatch(rule -> rule.conditions().isEmpty());
        String withoutA = decide(rules, new Arguments(null, arguments.b()));

        if (!whole && withoutA.equals("allow"))
            assertThat(rules).as("a rule that does not look at it allows it").anyMatch(rule -> rule.verdict()
                    .equals("allow")
                    && rule.conditions().stream().noneMatch(condition -> condition.argument().equals("a")));
    }

    private static String decide(List<Rule> rules, Arguments arguments) {
        Fleet fleet = Fleet.acme(Fleet.policyOf("p", "defaultVerdict: deny\nrules:"
                + (rules.isEmpty() ? " []" : "\n- " + String.join("\n- ", rules.stream().map(Rule::json).toList()))));
        return Fleet.text(fleet.call("box__plain", arguments.json().toString()));
    }

    private static String oracle(List<Rule> rules, Arguments arguments) {
        boolean denied = rules.stream().anyMatch(rule -> rule.verdict().equals("deny")
                && !Objects.equals(rule.outcome(arguments), false));
        boolean asked = rules.stream().anyMatch(rule -> rule.verdict().equals("require-approval")
                && !Objects.equals(rule.outcome(arguments), false));
        boolean lifted = rules.stream().anyMatch(rule -> !rule.verdict().equals("deny")
                && Objects.equals(rule.outcome(arguments), true));
        return denied || !lifted ? "deny" : asked ? "require-approval" : "allow";
    }

    @Provide
    Arbitrary<List<Rule>> rules() {
        Arbitrary<Condition> conditions = Combinators.combine(Arbitraries.of("a", "b"), Arbitraries.of(List.of(
                List.of("exists", "true"), List.of("exists", "false"), List.of("equals", "xy"), List.of("equals", "x"),
                List.of("in", "[\"x\", \"yy\"]"), List.of("glob", "\"x*\""), List.of("matches", "\"..\""),
                List.of("lessThan", "5"), List.of("greaterThan", "5"))))
                .as((argument, test) -> new Condition(argument, test.getFirst(), test.getLast()));
        return Combinators.combine(Arbitraries.of("allow", "deny", "require-approval", "allow"),
                conditions.list().ofMaxSize(3)).as(Rule::new).list().ofMaxSize(4);
    }

    @Provide
    Arbitrary<Arguments> arguments() {
        Arbitrary<Object> values = Arbitraries.<Object>of("x", "xy", "yy", "z", 4, 5, 6, true, List.of("x"));
        return Combinators.combine(values.injectNull(0.25), values.injectNull(0.25)).as(Arguments::new);
    }
}
