package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReferenceRulesTest {
    private static final String REST = """
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: builds}
            spec:
              entry: java:com.acme.Builds
              exports: [{name: start}, {name: stop}]
            ---
            apiVersion: goondan.ai/v1
            kind: Model
            metadata: {name: sonnet}
            spec: {provider: anthropic, model: some-model}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: reviewer}
            spec: {}
            """;
    private static final String PACKAGE = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/coder"}
            spec: {version: 1.2.3, dependencies: [{name: "@goondan/base", version: ^0.0.3}, {name: "@acme/tools"}]}
            ---
            """;

    static Stream<Case> agents() {
        return Stream.of(
                Case.error("tools is a list", "tools: Tool/bash", ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.tools",
                        "must be a list"),
                Case.error("a tool exists", "tools: [Tool/bilds]", ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.tools[0]",
                        "Did you mean builds?"),
                Case.error("a nested tool exists", "tools: [{ref: {kind: Tool, name: none-such}}]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.tools[0]", "There is: bash"),
                Case.error("a reference is well formed", "tools: [bash]", ProblemCode.E_CONFIG_INVALID_REF,
                        "spec.tools[0]", "exactly one slash"),
                Case.error("a reference has two sides", "tools: [\"Tool/ \"]", ProblemCode.E_CONFIG_INVALID_REF,
                        "spec.tools[0]", "a name after it"),
                Case.error("an object reference has a kind", "tools: [{name: bash}]", ProblemCode.E_CONFIG_INVALID_REF,
                        "spec.tools[0]", "kind and name"),
                Case.error("text names no package", "tools: [\"@goondan/base\"]", ProblemCode.E_CONFIG_INVALID_REF,
                        "spec.tools[0]", "{kind, name, package}"),
                Case.error("a number is no reference", "tools: [7]", ProblemCode.E_CONFIG_INVALID_REF, "spec.tools[0]",
                        "Kind/name"),
                Case.error("selectors are not supported", "tools: [{selector: {kind: Tool}}]",
                        ProblemCode.E_CONFIG_INVALID_REF, "spec.tools[0]", "selectors"),
                Case.error("a kind fits its place", "tools: [Model/sonnet]", ProblemCode.E_CONFIG_INVALID_REF,
                        "spec.tools[0]", "takes the kind Tool"),
                Case.error("a package must be declared", "tools: [{ref: {kind: Tool, name: x, package: \"@b/c\"}}]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.tools[0]", "spec.dependencies"),
                Case.warning("a declared package cannot be checked",
                        "tools: [{ref: {kind: Tool, name: x, package: \"@acme/tools\"}}]",
                        ProblemCode.E_CONFIG_REF_UNCHECKED, "spec.tools[0]", "not at hand"),
                Case.error("the base package lacks it",
                        "tools: [{ref: {kind: Tool, name: bsh, package: \"@toolfleet/base\"}}]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.tools[0]", "Did you mean bash?"),
                Case.notice("what only Goondan ships is left to it",
                        "tools: [{ref: {kind: Tool, name: telegram, package: \"@goondan/base\"}}]",
                        ProblemCode.E_CONFIG_REF_UNCHECKED, "spec.tools[0]", "the agent runtime has it"),
                Case.warning("listed twice", "tools: [Tool/bash, {ref: Tool/bash}]",
                        ProblemCode.E_CONFIG_DUPLICATE_REF, "spec.tools[1]", "twice"),
                Case.warning("a tool takes no config", "tools: [{ref: Tool/bash, config: {}}]",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.tools[0].config", "no effect"),
                Case.error("an extension's config is a mapping", "extensions: [{ref: Extension/logging, config: 1}]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.extensions[0].config", "mapping"),
                Case.error("the model exists", "modelConfig: {modelRef: Model/none}",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.modelConfig.modelRef", "There is: sonnet"),
                Case.error("a prompt is given once", "prompt: {system: x, systemRef: ./x.md}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.prompt.systemRef", "cannot be used together"),
                Case.error("a required tool is a full name", "requiredTools: [bash]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.requiredTools[0]", "bash__exec"),
                Case.error("a required tool is configured", "tools: [Tool/bash]\nrequiredTools: [builds__start]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.requiredTools[0]", "not among"),
                Case.error("a required export exists", "tools: [Tool/builds]\nrequiredTools: [builds__strt]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.requiredTools[0]", "Did you mean builds__start?"),
                Case.error("a required export of a built-in exists", "tools: [Tool/bash]\nrequiredTools: [bash__run]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.requiredTools[0]", "not among"),
                Case.error("an agent's changesets have patterns", "changesets: {allowed: {files: [\"a[b\"]}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.changesets.allowed.files[0]", "tools/**"),
                Case.warning("a Swarm enables them", "changesets: {enabled: true}", ProblemCode.E_CONFIG_UNKNOWN_FIELD,
                        "spec.changesets.enabled", ""));
    }

    static Stream<Case> swarms() {
        return Stream.of(
                Case.error("agents are required", "entryAgent: Agent/coder", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.agents", "at least one"),
                Case.error("an entry agent is required", "agents: [Agent/coder]", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.entryAgent", "missing"),
                Case.error("the entry agent is a member", "entryAgent: Agent/coder\nagents: [{ref: Agent/reviewer}]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.entryAgent", "not among spec.agents"),
                Case.error("agents are Agents", "entryAgent: Agent/coder\nagents: [Agent/coder, Tool/builds]",
                        ProblemCode.E_CONFIG_INVALID_REF, "spec.agents[1]", "takes the kind Agent"),
                Case.error("an instance key is a text",
                        "instanceKey: 7\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.instanceKey", "is 7"),
                Case.error("to cross conversations is said by a flag",
                        "crossInstance: maybe\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.crossInstance", "maybe"),
                Case.error("changesets are enabled by a flag",
                        "policy: {changesets: {enabled: yes please}}\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.policy.changesets.enabled", "true or false"),
                Case.error("a changeset applies at the next step",
                        "policy: {changesets: {applyAt: [now]}}\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.policy.changesets.applyAt[0]", "step.config"),
                Case.error("a pattern of files stays in the bundle",
                        "policy: {changesets: {allowed: {files: [/etc/passwd]}}}\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.policy.changesets.allowed.files[0]", "tools/**"),
                Case.warning("changesets have no other field",
                        "policy: {changesets: {enable: true}}\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.policy.changesets.enable", "enabled"),
                Case.warning("v0.8's name is reported",
                        "entrypoint: Agent/coder\nentryAgent: Agent/coder\nagents: [Agent/coder]",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.entrypoint", "entryAgent"));
    }

    @ParameterizedTest
    @MethodSource("agents")
    void everyRuleOfAnAgentIsReported(Case row) {
        row.verify(agent(row.text()));
    }

    @ParameterizedTest
    @MethodSource("swarms")
    void everyRuleOfASwarmIsReported(Case row) {
        row.verify(Checked.yaml(PACKAGE + document("Agent", "coder", "tools: []") + "---\n"
                + document("Swarm", "team", row.text()) + REST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[Tool/bash]", "[{ref: Tool/bash}]", "[{kind: Tool, name: bash}]",
            "[{ref: {kind: Tool, name: bash, apiVersion: goondan.ai/v1}}]",
            "[{ref: {kind: Tool, name: bash, package: \"@goondan/base\"}}]",
            "[{kind: Tool, name: bash, package: \"@toolfleet/base\"}]",
            "[{ref: {kind: Tool, name: builds, package: \"@acme/coder\"}}]", "[\" Tool / builds \"]"})
    void everyFormOfAReferenceIsUnderstood(String tools) {
        assertThat(agent("tools: " + tools).valid()).isTrue();
    }

    @Test
    void requiredToolsOfOtherPackagesAreTakenOnTrust() {
        BundleReport report = agent("""
                tools: [{ref: {kind: Tool, name: x, package: "@acme/tools"}}, Tool/bash, Tool/builds]
                requiredTools: [x__anything, bash__exec, builds__stop]
                """);

        assertThat(report.valid()).isTrue();
    }

    @Test
    void theBundlesOwnToolComesBeforeTheBuiltInOne() {
        String own = document("Tool", "bash", "entry: java:a.B\nexports: [{name: run}]") + "---\n";

        assertThat(Checked.yaml(PACKAGE + own
                + document("Agent", "coder", "tools: [Tool/bash]\nrequiredTools: [bash__run]")).valid()).isTrue();
    }

    @Test
    void whatLooksLikeAReferenceInFreeConfigurationIsNone() {
        BundleReport report = agent("""
                extensions:
                  - ref: Extension/logging
                    config: {tools: [a/b], somethingRef: a/b, agents: [c/d]}
                """);

        assertThat(report.problems()).noneMatch(p -> p.code() == ProblemCode.E_CONFIG_REF_NOT_FOUND);
    }

    private static BundleReport agent(String spec) {
        return Checked.yaml(PACKAGE + document("Agent", "coder", spec) + REST);
    }

    private static String document(String kind, String name, String spec) {
        return "apiVersion: goondan.ai/v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec:\n"
                + spec.indent(2);
    }
}
