package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ToolGroupRulesTest {
    static Stream<Case> groups() {
        return Stream.of(
                Case.error("the default is a verdict", "defaultPolicy: ask", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.defaultPolicy", "allow, require-approval or deny, and is 'ask'"),
                Case.error("a slip in the default is guessed", "defaultPolicy: require-aproval",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.defaultPolicy", "Did you mean require-approval?"),
                Case.error("the inclusion is one of three", "includeInPromptWhen: sometimes",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.includeInPromptWhen", "always, on-demand or never"),
                Case.error("the display name is a text", "displayName: 7", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.displayName", "must be a text"),
                Case.error("unknown fields are refused", "defaultVerdict: deny", ProblemCode.E_CONFIG_UNKNOWN_FIELD,
                        "spec.defaultVerdict", "defaultVerdict"));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void everyRuleOfAGroupIsReported(Case row) {
        row.verify(group(row.text()));
    }

    @Test
    void aWholeGroupIsValid() {
        BundleReport report = group("""
                displayName: Continuous integration
                description: Builds and deployments
                defaultPolicy: require-approval
                includeInPromptWhen: on-demand
                """);

        assertThat(report.problems()).isEmpty();
    }

    private static BundleReport group(String spec) {
        return Checked.yaml("apiVersion: toolfleet.dev/v1\nkind: ToolGroup\nmetadata: {name: ci}\nspec:\n"
                + spec.indent(2));
    }
}
