package dev.toolfleet.policy;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Rules and the operator's switch by the code of tools, whatever a bundle calls them.
class EntryRulesOfPolicyTest {
    private static final String SHELL = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: sh}
            spec: {entry: " ENTRY ", exports: [{name: exec}]}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: runner}
            spec: {tools: [Tool/sh]}
            """;
    private static final PolicyCaller RUNNER = new PolicyCaller("u1", "c1", "runner");

    @Test
    void aBaselineHitsTheSameBuiltInUnderAnotherName() {
        Fleet fleet = Fleet.acme(Fleet.policyOf("baseline", """
                reach: fleet
                rules: [{entry: "builtin:bash", verdict: deny}]""")).bundle("team", shell("builtin:bash"));

        Cause cause = fleet.decide(fleet.tool("team", "sh__exec"), RUNNER).verdict().cause();
        assertThat(cause.verdict().text()).isEqualTo("deny");
        assertThat(cause.stage()).isEqualTo(Stage.TOOL_POLICY);
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
    }

    @Test
    void theSwitchHitsTheSameBuiltInUnderAnotherName() {
        Fleet fleet = Fleet.acme().bundle("team", shell("builtin:bash")).deny("builtin:bash");

        assertThat(fleet.decide(fleet.tool("team", "sh__exec"), RUNNER).verdict().cause().rule())
                .isEqualTo("@toolfleet/operator/deny/builtin:bash");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");

        fleet.lift("builtin:bash");
        assertThat(fleet.decide(fleet.tool("team", "sh__exec"), RUNNER).denied()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java:com.acme.*", "java:com.acme.Shell", "*:com.acme.Shell", "java:*",
            "builtin:bash, java:*"})
    void anEntryIsAPatternOrAList(String entries) {
        assertThat(verdict("java:com.acme.Shell", entries)).isEqualTo("deny");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java:com.acme", "java:com.acme.shell", "java:com.acme.Shell2", "builtin:*", "*#*"})
    void anotherEntryIsNotHit(String entries) {
        assertThat(verdict("java:com.acme.Shell", entries)).isEqualTo("allow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lib/acme.jar#com.acme.Shell", "./lib/acme.jar#com.acme.Shell", "lib/acme.jar#*",
            "./lib/*#com.acme.*", "lib/../lib/acme.jar#com.acme.Shell"})
    void theWayInWhichAPathIsWrittenMakesNoOtherEntry(String entry) {
        for (String written : List.of("lib/acme.jar#com.acme.Shell", "./lib/acme.jar#com.acme.Shell",
                "./lib/./x/../acme.jar#com.acme.Shell"))
            assertThat(verdict(written, entry)).as(written).isEqualTo("deny");
    }

    @Test
    void aToolWhoseDeclarationIsNotFoundFitsNoEntry() {
        PolicyTool unknown = new PolicyTool("sh__exec", "acme", "config", null, Set.of(), null);

        assertThat(Fleet.rules("{entry: \"*:*\", verdict: deny}").decide(unknown, Fleet.CODER).denied()).isFalse();
    }

    @Test
    void theCodeOfRegisteredToolsIsWhoRegisteredThem() {
        PolicyTool remote = new PolicyTool("broker__sell", "mcp:acme/coder/bridge/broker", "mcp", "custom",
                Set.of(), "mcp:acme/coder/bridge/broker");

        assertThat(Fleet.rules("{entry: \"mcp:acme/*/broker\", verdict: deny}").decide(remote, Fleet.CODER).denied())
                .isTrue();
    }

    private static String verdict(String entry, String patterns) {
        Fleet fleet = new Fleet().bundle("team", shell(entry) + "---\n" + Fleet.policy("p",
                "{entry: [\"" + patterns.replace(", ", "\", \"") + "\"], verdict: deny}",
                "{tool: \"*\", verdict: allow}"));
        return Fleet.text(fleet.decide(fleet.tool("team", "sh__exec"), RUNNER));
    }

    private static String shell(String entry) {
        return SHELL.replace("ENTRY", entry);
    }
}
