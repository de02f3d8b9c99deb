package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class EffectBudgetRulesTest {
    static Stream<Case> budgets() {
        return Stream.of(
                Case.error("a budget has an owner", "calls: 3\ntool: bash__*", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.per", "missing"),
                Case.error("an owner is one of four", "per: session\ncalls: 3\ntool: bash__*",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.per", "turn, instance, agent or user"),
                Case.error("a budget has a limit", "per: turn\ntool: bash__*", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec", "no limit"),
                Case.error("a budget has one limit", "per: turn\ncalls: 3\ncost: 4\ntool: bash__*",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.cost", "both calls and cost"),
                Case.error("a limit is not negative", "per: turn\ncalls: -1\ntool: bash__*",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.calls", "at least 0"),
                Case.error("a limit is a number", "per: turn\ncost: many\ntool: bash__*",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.cost", "whole number"),
                Case.error("a budget selects tools", "per: turn\ncalls: 3", ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec",
                        "selects no tools"),
                Case.error("a budget's pattern of tools is one", "per: turn\ncalls: 3\ntool: 'mail:*'",
                        ProblemCode.E_CONFIG_RULE_PATTERN, "spec.tool", "colon"),
                Case.error("a budget's reach is one of two", "per: turn\ncalls: 3\ntool: bash__*\nreach: world",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.reach", "bundle or fleet"),
                Case.error("fields of a budget are known", "per: turn\ncalls: 3\ntool: bash__*\nperDay: 4",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.perDay", "perDay"),
                Case.hint("a limit of nothing is pointed out", "per: turn\ncalls: 0\ntool: bash__*",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.calls", "limit is 0"));
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void everyRuleOfABudgetIsReported(Case row) {
        row.verify(Checked.yaml(budget(row.text())));
    }

    @Test
    void aWholeBudgetIsValid() {
        assertThat(Checked.yaml(budget("""
                reach: fleet
                per: instance
                cost: 100
                flag: sends
                tool: [bash__*]
                """)).problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"turn", "instance", "agent", "user"})
    void everyOwnerIsValid(String per) {
        assertThat(Checked.yaml(budget("per: " + per + "\ncalls: 3\ntool: bash__*")).problems()).isEmpty();
    }

    private static String budget(String spec) {
        return "apiVersion: toolfleet.dev/v1\nkind: EffectBudget\nmetadata: {name: b}\nspec:\n" + spec.indent(2);
    }
}
