package dev.toolfleet.bundle.check;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.ChangesetTerms;
import dev.toolfleet.bundle.ContextPolicySpec;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Ref;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ContextPolicyRulesTest {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec: {tools: []}
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: llm}
            spec:
              entry: java:com.acme.Llm
              exports:
                - name: summarize
                  description: Summarises.
                  annotations: {readOnly: true}
                  parameters: {type: object, properties: {}, additionalProperties: false}
            """;

    static Stream<Case> policies() {
        return Stream.of(
                Case.error("a window has room beside its reserve", "contextWindow: 4096\nreserveTokens: 4096",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.reserveTokens", "leaves nothing"),
                Case.error("a window is positive", "contextWindow: 0", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.contextWindow", "positive"),
                Case.error("a share is between 0 and 1", "targetRatio: 1.5", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.targetRatio", "between 0 and 1"),
                Case.error("thresholds rise", "warningThreshold: 0.9\ncriticalThreshold: 0.8",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.criticalThreshold", "must be more than"),
                Case.error("a strategy is a known one", "strategy: shorten", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.strategy", "summarize, truncate-oldest"),
                Case.error("summarize needs a summariser", "strategy: summarize",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.strategy", "needs a summarizer"),
                Case.error("a summariser has a full name", "summarizer: llm", ProblemCode.E_CONFIG_INVALID_NAME,
                        "spec.summarizer", "no full name"),
                Case.error("a summariser is a tool of the bundle", "summarizer: llm__shorten",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.summarizer", "no tool"),
                Case.error("a summariser's window holds its instructions", "summarizerWindow: 4000",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.summarizerWindow", "from 8192"),
                Case.error("agents of a policy exist", "agents: [codr]", ProblemCode.E_CONFIG_REF_NOT_FOUND,
                        "spec.agents[0]", "no Agent 'codr'"),
                Case.error("fields of a policy for windows are known", "window: 1",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.window", "window"));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void everyRuleOfAContextPolicyIsReported(Case row) {
        row.verify(Checked.yaml(policy(row.text())));
    }

    @Test
    void aWholePolicyIsValidAndAbsentFieldsHaveTheSeedsValues() {
        BundleReport whole = Checked.yaml(policy("""
                reach: fleet
                agents: [coder, other]
                contextWindow: 200000
                reserveTokens: 8192
                warningThreshold: 0.5
                criticalThreshold: 0.8
                automatic: false
                strategy: hybrid
                targetRatio: 0.4
                preserveRecentMessages: 0
                preserveSystemPrompt: false
                onFailure: drop
                summarizer: llm__summarize
                summarizerWindow: 32000
                timeout: 30s
                """));
        assertThat(whole.problems()).isEmpty();
        ContextPolicySpec spec = spec(whole);
        assertThat(spec.contextWindow()).contains(200_000);
        assertThat(spec.dropOnFailure()).isTrue();
        assertThat(spec.automatic()).isFalse();
        assertThat(spec.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(ContextPolicySpec.agent("acme", List.of(spec))).contains(new AgentSpec("@session:acme",
                List.of(new Ref(Kinds.TOOL, "llm", null)), List.of(), List.of(),
                new ChangesetTerms(false, List.of(), true), null));

        ContextPolicySpec empty = spec(Checked.yaml(policy("reach: bundle")));
        assertThat(empty.strategy()).isEqualTo(ContextPolicySpec.Strategy.HYBRID);
        assertThat(empty.targetRatio()).isEqualTo(0.6);
        assertThat(empty.preserveRecentMessages()).isEqualTo(8);
        assertThat(empty.preserveSystemPrompt()).isTrue();
        assertThat(empty.dropOnFailure()).isFalse();
        assertThat(empty.summarizer()).isEqualTo(Optional.empty());
        assertThat(ContextPolicySpec.agent("acme", List.of(empty))).isEmpty();
    }

    @Test
    void aBuiltInToolMaySummarise() {
        assertThat(Checked.yaml(policy("summarizer: bash__exec")).problems()).isEmpty();
    }

    private static ContextPolicySpec spec(BundleReport report) {
        return ContextPolicySpec.of(report.bundle().find(Kinds.CONTEXT_POLICY, "short").orElseThrow().document());
    }

    private static String policy(String spec) {
        return BUNDLE + "---\napiVersion: toolfleet.dev/v1\nkind: ContextPolicy\nmetadata: {name: short}\nspec:\n"
                + spec.indent(2);
    }
}
