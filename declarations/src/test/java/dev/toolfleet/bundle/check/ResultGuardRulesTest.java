package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResultGuardRulesTest {
    static Stream<Case> guards() {
        return Stream.of(
                Case.error("a limit holds the marker", "maxContentLength: 10", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.maxContentLength", "at least 32, and is 10"),
                Case.error("a limit is a number", "maxContentLength: 10k", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.maxContentLength", "a whole number"),
                Case.error("a switch is a switch", "redactSecrets: maybe", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.redactSecrets", "true or false"),
                Case.error("a pattern compiles", "redactPatterns: ['ok', 'x(ab']", ProblemCode.E_CONFIG_RULE_PATTERN,
                        "spec.redactPatterns[1]", "no RE2 pattern: missing closing )"),
                Case.error("a pattern needs no look-around", "redactPatterns: ['a(?=b)']",
                        ProblemCode.E_CONFIG_RULE_PATTERN, "spec.redactPatterns[0]", "at character 2"),
                Case.error("a pattern fits something", "redactPatterns: ['a*']", ProblemCode.E_CONFIG_RULE_PATTERN,
                        "spec.redactPatterns[0]", "fits the empty text"),
                Case.error("fields of a guard are known", "allowHTML: true", ProblemCode.E_CONFIG_UNKNOWN_FIELD,
                        "spec.allowHTML", "allowHTML"),
                Case.error("a guard's reach is one of two", "reach: world\nallowHtml: false",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.reach", "bundle or fleet"),
                Case.error("what reaches the fleet only restricts", "reach: fleet\nredactFinancialData: false",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.redactFinancialData", "only restricts"),
                Case.error("a guard's pattern of tools is one", "tool: 'finance:*'\nallowHtml: true",
                        ProblemCode.E_CONFIG_RULE_PATTERN, "spec.tool", "colon"));
    }

    @ParameterizedTest
    @MethodSource("guards")
    void everyRuleOfAGuardIsReported(Case row) {
        row.verify(Checked.yaml(guard(row.text())));
    }

    @Test
    void aWholeGuardIsValid() {
        assertThat(Checked.yaml(guard("""
                reach: fleet
                tool: bash__*
                maxContentLength: 20000
                redactPatterns: ['EMP-[0-9]{6}']
                sanitizeHtml: true
                redactFinancialData: true
                """)).problems()).isEmpty();
    }

    @Test
    void whatChangesNothingIsSaid() {
        assertThat(Checked.yaml(guard("tool: bash__*")).problems())
                .anySatisfy(problem -> assertThat(problem.message()).contains("changes nothing"));
        assertThat(Checked.yaml(guard("sanitizeHtml: false\nallowHtml: true")).problems())
                .anySatisfy(problem -> assertThat(problem.message()).contains("removes no markup"));
    }

    private static String guard(String spec) {
        return "apiVersion: toolfleet.dev/v1\nkind: ResultGuard\nmetadata: {name: g}\nspec:\n" + spec.indent(2);
    }
}
