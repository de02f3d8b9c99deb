package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_DUPLICATE_NAME;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_INVALID_NAME;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_REF_NOT_FOUND;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_RULE_CONDITION;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_RULE_NEVER_WINS;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_RULE_PATTERN;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_SCHEMA_INVALID;
import static dev.toolfleet.bundle.ProblemCode.E_CONFIG_UNKNOWN_FIELD;
import static org.assertj.core.api.Assertions.assertThat;

class ToolPolicyRulesTest {
    private static final String REST = """
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: builds}
            spec:
              entry: java:com.acme.Builds
              exports: [{name: start, group: ci, annotations: {idempotent: true}, description: x},
                {name: stop, annotations: {idempotent: true}, description: x}]
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolGroup
            metadata: {name: ci}
            spec: {}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec: {tools: [Tool/builds]}
            """;

    static Stream<Case> rules() {
        return Stream.of(
                error("a rule is a mapping", "deny", E_CONFIG_SCHEMA_INVALID, "", "must be a mapping"),
                error("a rule has a verdict", "{tool: \"*\"}", E_CONFIG_SCHEMA_INVALID, ".verdict",
                        "allow, require-approval or deny"),
                error("a verdict is one of three", "{tool: \"*\", verdict: dny}", E_CONFIG_SCHEMA_INVALID,
                        ".verdict", "Did you mean deny?"),
                error("a rule selects something", "{verdict: deny}", E_CONFIG_SCHEMA_INVALID, "", "selects no tools"),
                error("a field is a known one", "{pattern: \"*\", tool: \"*\", verdict: deny}",
                        E_CONFIG_UNKNOWN_FIELD, ".pattern", "pattern"),
                error("an allow list has items", "{tool: [], verdict: allow}", E_CONFIG_SCHEMA_INVALID, ".tool",
                        "would select nothing"),
                error("a list that was forgotten is no wildcard", "{tool: , verdict: allow}", E_CONFIG_SCHEMA_INVALID,
                        ".tool", "would select nothing"),
                error("an empty list narrows nothing", "{tool: \"*\", flag: [], verdict: allow}",
                        E_CONFIG_SCHEMA_INVALID, ".flag", "Leave flag out"),
                error("a pattern is a text", "{tool: [7], verdict: allow}", E_CONFIG_SCHEMA_INVALID, ".tool[0]",
                        "must be a text"),
                error("a priority is whole", "{tool: \"*\", verdict: deny, priority: 0.5}",
                        E_CONFIG_SCHEMA_INVALID, ".priority", "a whole number"),
                error("a quorum is small", "{tool: \"*\", verdict: require-approval, approvals: {quorum: 6}}",
                        E_CONFIG_SCHEMA_INVALID, ".approvals.quorum", "a whole number from 1 to 5"),
                error("terms of approvals are known",
                        "{tool: \"*\", verdict: require-approval, approvals: {quorom: 2}}",
                        E_CONFIG_UNKNOWN_FIELD, ".approvals.quorom", "quorum"),
                error("only what requires approval is approved", "{tool: \"*\", verdict: deny, approvals: {quorum: 2}}",
                        E_CONFIG_SCHEMA_INVALID, ".approvals", "verdict: require-approval"),
                error("a mode is one of two", "{tool: \"*\", verdict: deny, mode: shadows}", E_CONFIG_SCHEMA_INVALID,
                        ".mode", "Did you mean shadow?"),
                error("a mode is a text", "{tool: \"*\", verdict: deny, mode: true}", E_CONFIG_SCHEMA_INVALID,
                        ".mode", "enforce or shadow"),
                error("a flag exists", "{flag: dangerous, verdict: deny}", E_CONFIG_SCHEMA_INVALID, ".flag",
                        "destructive"),
                error("a source exists", "{source: mcpp, verdict: deny}", E_CONFIG_SCHEMA_INVALID, ".source",
                        "Did you mean mcp?"),
                error("an id is plain", "{id: a/b, tool: \"*\", verdict: deny}", E_CONFIG_INVALID_NAME, ".id",
                        "may hold only"),
                error("a scope is a mapping", "{tool: \"*\", verdict: deny, scope: u1}", E_CONFIG_SCHEMA_INVALID,
                        ".scope", "a mapping"),
                error("a scope is not empty", "{tool: \"*\", verdict: deny, scope: {}}", E_CONFIG_SCHEMA_INVALID,
                        ".scope", "Leave scope out"),
                error("a scope has known keys", "{tool: \"*\", verdict: deny, scope: {user: u1}}",
                        E_CONFIG_UNKNOWN_FIELD, ".scope.user", "Did you mean userId?"),
                error("a scope has no session", "{tool: \"*\", verdict: deny, scope: {sessionId: s}}",
                        E_CONFIG_UNKNOWN_FIELD, ".scope.sessionId", "userId, channelId, agentName"),
                error("an id in a scope is a text", "{tool: \"*\", verdict: deny, scope: {userId: 4711}}",
                        E_CONFIG_SCHEMA_INVALID, ".scope.userId", "must be a text"),
                error("an entry is none of a tool's names", "{entry: bash__exec, verdict: deny}",
                        E_CONFIG_RULE_PATTERN, ".entry", "a name such as bash__exec belongs to tool"),
                error("an entry has a form", "{entry: bash, verdict: deny}", E_CONFIG_RULE_PATTERN, ".entry",
                        "Write builtin:bash."),
                error("an entry is no group", "{entry: \"finance:*\", verdict: deny}", E_CONFIG_RULE_PATTERN, ".entry",
                        "is no entry"),
                warning("an entry exists", "{entry: builtin:bsh, verdict: deny}", E_CONFIG_REF_NOT_FOUND, ".entry",
                        "Did you mean builtin:bash?"),
                warning("an agent exists", "{tool: \"*\", verdict: deny, scope: {agentName: codr}}",
                        E_CONFIG_REF_NOT_FOUND, ".scope.agentName", "Did you mean coder?"),
                warning("a group exists", "{group: finace, verdict: deny}", E_CONFIG_REF_NOT_FOUND, ".group",
                        "Did you mean finance?"),
                warning("a tool exists", "{tool: builds__strat, verdict: deny}", E_CONFIG_REF_NOT_FOUND, ".tool",
                        "Did you mean builds__start?"),
                warning("a pattern selects something", "{tool: \"deploy__*\", verdict: deny}", E_CONFIG_REF_NOT_FOUND,
                        ".tool", "another bundle or an MCP server"),
                warning("a Tool is no tool", "{tool: builds, verdict: deny}", E_CONFIG_REF_NOT_FOUND, ".tool",
                        "write builds__*"),
                warning("a group is no pattern", "{tool: \"ci__*\", verdict: deny}", E_CONFIG_REF_NOT_FOUND, ".tool",
                        "Write group: ci"));
    }

    static Stream<Case> conditions() {
        return Stream.of(
                error("conditions are a mapping", "{id: x, tool: \"*\", verdict: deny, when: 7}",
                        E_CONFIG_SCHEMA_INVALID,
                        ".when", "a mapping"),
                error("conditions have a known key", "{id: x, tool: \"*\", verdict: deny, when: {arg: []}}",
                        E_CONFIG_UNKNOWN_FIELD, ".when.arg", "Did you mean args?"),
                error("conditions that were forgotten are none", "{id: x, tool: \"*\", verdict: deny, when: {}}",
                        E_CONFIG_SCHEMA_INVALID, ".when", "has 0 conditions"),
                error("conditions are a list with items", "{id: x, tool: \"*\", verdict: deny, when: {args: []}}",
                        E_CONFIG_SCHEMA_INVALID, ".when.args", "the rule 'x' has 0 conditions"),
                condition("a condition is a mapping", "amount", "", "is no mapping"),
                condition("a condition has a path", "{equals: 1}", ".path", "Name the argument by a JSON Pointer"),
                condition("a path is a JSON Pointer", "{path: \"$.to[0].account\", equals: a}", ".path",
                        "Write /to/0/account."),
                condition("a path begins with a slash", "{path: to.account, equals: a}", ".path",
                        "Write /to/account."),
                condition("a tilde of a path stands for something", "{path: /a~b, equals: a}", ".path",
                        "Write ~0 for ~"),
                condition("a condition tests something", "{path: /a}", "", "tests nothing"),
                condition("a condition has one test", "{path: /a, lessThan: 1, greaterThan: 0}", "",
                        "has several tests, lessThan, greaterThan"),
                condition("a test is a known one", "{path: /a, moreThan: 1}", ".moreThan",
                        "path and one of equals, in, glob, matches, lessThan, greaterThan, exists"),
                condition("a limit is a number", "{path: /a, lessThan: \"5\"}", ".lessThan", "Leave the quotes out"),
                condition("a pattern is RE2's", "{path: /a, matches: \"(?=x)\"}", ".matches", "is no RE2 pattern"),
                condition("equals compares no lists", "{path: /a, equals: [1]}", ".equals", "has its own path"),
                condition("equals compares no null", "{path: /a, equals: null}", ".equals", "write exists"),
                condition("in is a list", "{path: /a, in: b}", ".in", "write equals"),
                condition("exists is a flag", "{path: /a, exists: maybe}", ".exists", "true or false"),
                condition("a glob is a text", "{path: /a, glob: 7}", ".glob", "Quote it"));
    }

    static Stream<Case> foreignPatterns() {
        return Stream.of(pattern("finance:*", "Write group: finance."), pattern("mcp:*", "Write source: mcp."),
                pattern("mcp:fs:*", "Write source: mcp and tool: fs__*."), pattern("group:fs", "Write group: fs."),
                pattern("builds:start", "Write tool: builds__start"), pattern("b?ilds__*", "A * stands for anything"),
                pattern("{bash,builds}__*", "several patterns are a list"));
    }

    static Stream<Case> conflicts() {
        return Stream.of(
                never("a denial of everything beats each allow", "{tool: \"*\", verdict: deny}",
                        "{tool: builds__start, verdict: allow, priority: 100}", "'deny tool=*'"),
                never("a denial of a group beats its members' allow", "{group: ci, verdict: deny}",
                        "{tool: builds__start, group: ci, verdict: allow, scope: {userId: u1}}", "group=ci"),
                never("a denial of a user beats that user's approvals",
                        "{tool: \"builds__*\", verdict: deny, scope: {userId: [u1, u2]}}",
                        "{tool: \"builds__s*\", verdict: require-approval, scope: {userId: u1, channelId: c}}",
                        "priority does not help"),
                never("an approval beats an allow", "{tool: \"*\", verdict: require-approval}",
                        "{tool: bash__exec, verdict: allow}", "require-approval beats allow"),
                never("a rule is written once", "{tool: [bash__exec, builds__start], verdict: deny, reason: a}",
                        "{tool: [builds__start, bash__exec], verdict: deny, reason: b}", "says already"),
                never("a denial with one of two conditions beats an allow with both",
                        "{tool: builds__start, verdict: deny, when: {args: [{path: /a, equals: 1}]}}",
                        "{tool: builds__start, verdict: allow, when: {args: [{path: /b, exists: true}, {path: /a, equals: 1}]}}",
                        "deny beats allow"),
                never("the safety stage cannot be lifted", "{tool: bash__exec, verdict: deny}",
                        "{flag: isTransactional, verdict: allow}", "no rule lifts"));
    }

    @Test
    void aRuleMayNameToolsOfAServerThatTheBundleBridges() {
        String bundle = """
                apiVersion: goondan.ai/v1
                kind: Extension
                metadata: {name: servers}
                spec: {entry: "builtin:mcp", config: {servers: {files: {command: node}}}}
                ---
                apiVersion: toolfleet.dev/v1
                kind: ToolPolicy
                metadata: {name: desk}
                spec: {rules: [{tool: files__write, verdict: deny}, {tool: flies__write, verdict: deny}]}
                """;

        assertThat(Checked.files("a.yaml", bundle).problems())
                .extracting(problem -> problem.code() + " " + problem.path())
                .containsExactly("E_CONFIG_REF_NOT_FOUND spec.rules[1].tool");
    }

    @ParameterizedTest
    @MethodSource({"rules", "conditions", "foreignPatterns"})
    void everyRuleOfARuleIsReported(Case row) {
        row.verify(policy("rules:\n- " + row.text()));
    }

    @ParameterizedTest
    @MethodSource("conflicts")
    void aRuleThatCanNeverWinIsReported(Case row) {
        row.verify(policy("rules:\n" + row.text()));
    }

    @Test
    void aShadowRuleBeatsNone() {
        String denial = "- {tool: builds__start, verdict: deny%s}\n";
        String allow = "- {tool: builds__start, verdict: allow%s}\n";
        String shadow = ", mode: shadow";

        assertThat(neverWins(rules(denial.formatted(shadow) + allow.formatted("")))).isFalse();
        assertThat(neverWins(rules(denial.formatted(shadow) + allow.formatted(shadow)))).isFalse();
        assertThat(neverWins(rules(denial.formatted("") + allow.formatted(shadow)))).as("it would change nothing")
                .isTrue();
        assertThat(neverWins(rules(denial.formatted(shadow) + denial.formatted("")))).as("it would change nothing")
                .isTrue();
        assertThat(neverWins(rules(denial.formatted(shadow) + denial.formatted(shadow)))).isTrue();
    }

    private static String rules(String rules) {
        return document("p", "rules:\n" + rules) + REST;
    }

    @Test
    void aPolicyOfShadowRulesAloneIsPointedOut() {
        String rule = "rules: [{tool: builds__start, verdict: deny, mode: shadow}]";

        assertThat(Checked.found(policy(rule), Severity.HINT, E_CONFIG_SCHEMA_INVALID, "spec")).isTrue();
        assertThat(Checked.found(policy(rule + "\ndefaultVerdict: allow"), Severity.HINT, E_CONFIG_SCHEMA_INVALID,
                "spec")).isFalse();
    }

    @Test
    void aRuleWithConditionsBeatsNoneWithOthers() {
        for (String when : List.of("{path: /a, equals: 2}", "{path: /b, equals: 1}"))
            assertThat(neverWins(document("p", """
                    rules:
                    - {tool: builds__start, verdict: deny, when: {args: [{path: /a, equals: 1}]}}
                    - {tool: builds__start, verdict: allow, when: {args: [%s]}}""".formatted(when)) + REST)).as(when)
                    .isFalse();
        assertThat(neverWins(document("p", """
                rules:
                - {tool: builds__start, verdict: deny, when: {args: [{path: /a, equals: 1}]}}
                - {tool: builds__start, verdict: allow}""") + REST)).isFalse();
    }

    static Stream<Case> misfits() {
        return Stream.of(
                misfit("a group that the tool does not have", "{tool: builds__start, group: system, verdict: deny}",
                        "builds__start has the group ci"),
                misfit("a group, and a tool without", "{tool: BUILDS__stop, group: ci, verdict: allow}",
                        "builds__stop has no group"),
                misfit("a flag that none of the tools has",
                        "{tool: [builds__start, builds__stop], flag: [destructive, openWorld], verdict: deny}",
                        "builds__start has none of the flags, and builds__stop"),
                misfit("an entry that the tool does not have",
                        "{tool: builds__stop, entry: builtin:bash, verdict: deny}",
                        "builds__stop has the entry java:com.acme.Builds"),
                misfit("a source that the tool does not come from", "{tool: builds__stop, source: mcp, verdict: deny}",
                        "builds__stop comes from this bundle"));
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void aRuleThatFitsNoneOfItsToolsIsReported(Case row) {
        row.verify(policy("rules:\n- " + row.text()));
    }

    @Test
    void aRuleThatFitsOneOfItsToolsOrMayFitOthersIsNotReported() {
        for (String rule : List.of("{tool: [builds__start, builds__stop], group: ci, verdict: deny}",
                "{tool: \"builds__*\", group: system, verdict: deny}", "{tool: bash__exec, group: ci, verdict: deny}",
                "{tool: builds__start, flag: idempotent, source: config, verdict: deny}"))
            assertThat(policy("rules:\n- " + rule).problems()).as(rule)
                    .noneMatch(problem -> problem.code() == E_CONFIG_RULE_NEVER_WINS);
    }

    @Test
    void anAllowOfWhatMovesMoneyAloneIsReported() {
        String pay = REST.replace("group: ci,", "group: ci, isTransactional: true,");
        String rule = "{tool: builds__start, verdict: allow}";

        assertThat(neverWins(document("p", "rules: [" + rule + "]") + pay)).isTrue();
        assertThat(neverWins(document("p", "rules: [" + rule + "]") + REST)).isFalse();
        assertThat(neverWins(document("p", "rules: [{tool: [builds__start, builds__stop], verdict: allow}]") + pay))
                .isFalse();
        assertThat(neverWins(document("p", "defaultVerdict: deny\nrules: [" + rule + "]") + pay))
                .as("it lets a person be asked").isFalse();
    }

    @Test
    void theOperatorsNameAndKindAreNoBundles() {
        String operators = "apiVersion: goondan.ai/v1\nkind: Package\nmetadata: {name: \"@toolfleet/operator\"}\n";
        String denial = """
                apiVersion: toolfleet.dev/v1
                kind: OperatorDenial
                metadata: {name: x}
                spec: {tool: x, until: "2026-11-21T20:00:00Z"}
                """;

        assertThat(Checked.found(Checked.yaml(operators + REST), Severity.ERROR, E_CONFIG_INVALID_NAME,
                "metadata.name")).isTrue();
        assertThat(Checked.yaml(denial + REST).problems())
                .anyMatch(problem -> problem.code() == ProblemCode.E_CONFIG_UNKNOWN_KIND
                        && String.valueOf(problem.hint()).contains("toolfleet policy deny"));
    }

    private static boolean neverWins(String yaml) {
        return Checked.yaml(yaml).problems().stream()
                .anyMatch(problem -> problem.code() == E_CONFIG_RULE_NEVER_WINS);
    }

    private static Case misfit(String behaviour, String rule, String says) {
        return warning(behaviour, rule, E_CONFIG_RULE_NEVER_WINS, "", says);
    }

    @Test
    void aRuleOfAnotherPolicyOfTheBundleIsSeenToo() {
        BundleReport report = Checked.yaml(document("p", "rules: [{tool: \"*\", verdict: deny}]") + "---\n"
                + document("q", "rules: [{tool: bash__exec, verdict: allow}]") + REST);

        assertThat(report.problems()).anyMatch(problem -> problem.code() == E_CONFIG_RULE_NEVER_WINS
                && problem.message().contains("ToolPolicy/p line"));
    }

    @Test
    void whatReachesTheFleetOnlyRestricts() {
        BundleReport report = policy("reach: fleet\nrules: [{tool: \"*\", verdict: allow}]");

        assertThat(Checked.found(report, Severity.ERROR, E_CONFIG_SCHEMA_INVALID, "spec.rules[0].verdict")).isTrue();
    }

    @Test
    void whatReachesTheFleetMayNameToolsOfOthers() {
        BundleReport report = policy("reach: fleet\nrules: [{tool: deploy__now, group: ops, verdict: deny}]");

        assertThat(Checked.at(report, Severity.WARNING)).isEmpty();
        assertThat(Checked.found(report, Severity.HINT, E_CONFIG_REF_NOT_FOUND, "spec.rules[0].tool")).isTrue();
    }

    @Test
    void anIdIsThereOnce() {
        Case.error("an id is there once", "", E_CONFIG_DUPLICATE_NAME, "spec.rules[1].id", "line 6").verify(policy(
                "rules:\n- {id: a, tool: bash__exec, verdict: deny}\n- {id: a, tool: builds__stop, verdict: deny}"));
    }

    @Test
    void aPolicyWithoutRulesOrADefaultSaysNothing() {
        assertThat(Checked.found(policy("rules: []"), Severity.HINT, E_CONFIG_SCHEMA_INVALID, "spec")).isTrue();
    }

    @Test
    void aWholePolicyIsValid() {
        BundleReport report = policy("""
                defaultVerdict: require-approval
                rules:
                - {id: builds, tool: ["builds__*", bash__script], verdict: allow, reason: They build., priority: 5}
                - {group: [ci, web], flag: readOnly, verdict: allow, scope: {agentName: coder, channelId: [a, b]}}
                - {source: [extension, plugin], tool: "x__*", verdict: deny, scope: {userId: u1}}
                - {tool: "file-system__*", verdict: require-approval}
                - {entry: ["builtin:bash", "java:com.acme.*", "builtin:*"], verdict: require-approval}
                """);

        assertThat(report.problems()).filteredOn(problem -> problem.path().startsWith("spec.rules"))
                .extracting(problem -> problem.severity() + " " + problem.path())
                .containsExactly("HINT spec.rules[2].tool");
        assertThat(report.valid()).isTrue();
    }

    private static Case error(String behaviour, String rule, ProblemCode code, String path, String says) {
        return Case.error(behaviour, rule, code, "spec.rules[0]" + path, says);
    }

    private static Case condition(String behaviour, String condition, String path, String says) {
        return error(behaviour, "{id: x, tool: \"*\", verdict: deny, when: {args: [" + condition + "]}}",
                E_CONFIG_RULE_CONDITION, ".when.args[0]" + path, says);
    }

    private static Case warning(String behaviour, String rule, ProblemCode code, String path, String says) {
        return Case.warning(behaviour, rule, code, "spec.rules[0]" + path, says);
    }

    private static Case pattern(String pattern, String says) {
        return error(pattern, "{tool: \"" + pattern + "\", verdict: deny}", E_CONFIG_RULE_PATTERN, ".tool", says);
    }

    private static Case never(String behaviour, String winner, String loser, String says) {
        return Case.warning(behaviour, "- " + winner + "\n- " + loser, E_CONFIG_RULE_NEVER_WINS, "spec.rules[1]", says);
    }

    private static BundleReport policy(String spec) {
        return Checked.yaml(document("p", spec) + REST);
    }

    private static String document(String name, String spec) {
        return "apiVersion: toolfleet.dev/v1\nkind: ToolPolicy\nmetadata: {name: " + name + "}\nspec:\n"
                + spec.indent(2);
    }
}
