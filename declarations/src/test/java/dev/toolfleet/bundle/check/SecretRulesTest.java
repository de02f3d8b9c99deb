package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ProblemText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SecretRulesTest {
    static Stream<Case> keys() {
        return Stream.of(
                Case.error("a value has one source", "apiKey: {value: \"\", valueFrom: {env: A}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.apiKey", "both"),
                Case.error("a value has a source", "apiKey: {}", ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.apiKey",
                        "neither"),
                Case.error("valueFrom has one source",
                        "apiKey: {valueFrom: {env: A, secretRef: {ref: Secret/s, key: k}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.apiKey.valueFrom", "both"),
                Case.error("env has a name", "apiKey: {valueFrom: {env: \" \"}}", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.apiKey.valueFrom.env", "not blank"),
                Case.error("a secret has a key", "apiKey: {valueFrom: {secretRef: {ref: Secret/s}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.apiKey.valueFrom.secretRef.key", "missing"),
                Case.error("a secret is a Secret", "apiKey: {valueFrom: {secretRef: {ref: Tool/s, key: k}}}",
                        ProblemCode.E_CONFIG_INVALID_REF, "spec.apiKey.valueFrom.secretRef.ref", "Secret/NAME"),
                Case.warning("a literal key is refused later", "apiKey: {value: abc}",
                        ProblemCode.E_CONFIG_LITERAL_SECRET, "spec.apiKey.value", "not applied"),
                Case.warning("a field called so holds one", "options: {clientSecret: hunter2-hunter2}",
                        ProblemCode.E_CONFIG_LITERAL_SECRET, "spec.options.clientSecret", "not applied"),
                Case.warning("a shape tells", "options: {note: \"use xoxb-1234567890-abcdef here\"}",
                        ProblemCode.E_CONFIG_LITERAL_SECRET, "spec.options.note", "not applied"));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyRuleOfSecretsIsReported(Case row) {
        row.verify(model(row.text()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"apiKey: {valueFrom: {env: ANTHROPIC_API_KEY}}",
            "apiKey: {valueFrom: {secretRef: {ref: Secret/anthropic, key: api_key}}}",
            "options: {maxTokens: 1000, token: \"${TOKEN}\", tokenizer: cl100k_base, keyboard: qwerty-qwerty}",
            "options: {token: {valueFrom: {env: TOKEN}}}"})
    void whatHoldsNoSecretIsLeftAlone(String spec) {
        assertThat(model(spec).problems()).isEmpty();
    }

    @Test
    void aSchemaPropertyCalledTokenIsNoSecret() {
        BundleReport report = Checked.export("""
                parameters: {type: object, properties: {token: {type: string, description: A token, default: none-given}}}
                """);

        assertThat(report.problems()).noneMatch(p -> p.code() == ProblemCode.E_CONFIG_LITERAL_SECRET);
    }

    @Test
    void aConnectionsSecretsAreValueSources() {
        BundleReport report = Checked.yaml("""
                apiVersion: goondan.ai/v1
                kind: Connection
                metadata: {name: c}
                spec: {secrets: {botToken: {value: abcdef}}, config: {chat: {value: general}}}
                """);

        assertThat(report.problems()).extracting(BundleProblem::code).containsOnly(ProblemCode.E_CONFIG_LITERAL_SECRET);
    }

    @Test
    void noMessageShowsTheSecret() {
        BundleReport report = model("apiKey: {value: hunter2-hunter2}\noptions: {password: hunter2-hunter2}");

        assertThat(report.problems()).hasSize(2);
        assertThat(report.problems()).noneMatch(problem -> ProblemText.of(problem).contains("hunter2"));
    }

    private static BundleReport model(String spec) {
        return Checked
                .yaml("apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: m}\nspec:\n  provider: anthropic\n"
                        + "  model: some-model\n" + spec.indent(2));
    }
}
