package dev.toolfleet.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Choices;
import dev.toolfleet.bundle.ParsedCondition;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.bundle.check.BundleValidator;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.docs.Docs;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of docs/policy.md: its rules are valid, and decide as in its tables.
class PolicyDocsTest {
    private static final String FILE = "policy.md";
    private static final String TOOLS = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: market}
            spec:
              entry: java:acme.Market
              exports:
                - {name: quote, group: finance, annotations: {readOnly: true}}
                - {name: sell, group: finance, isTransactional: true}
                - {name: account, group: finance, requiresApproval: true}
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: shell}
            spec: {entry: java:acme.Shell, exports: [{name: exec, group: system, annotations: {destructive: true}}]}
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: notes}
            spec: {entry: java:acme.Notes, exports: [{name: write}]}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: trader}
            spec: {tools: [Tool/market, Tool/shell, Tool/notes]}
            ---
            """;

    /// Rules, and the rows of the table below them.
    record Example(String yaml, List<String> rows) {
        @Override
        public String toString() {
            return yaml.lines().skip(2).findFirst().orElse("");
        }
    }

    static List<Example> examples() {
        List<Example> examples = new ArrayList<>();
        List<String> lines = Docs.lines(FILE);
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).equals("<!-- rules -->"))
                continue;
            int end = i + 2 + lines.subList(i + 2, lines.size()).indexOf("```");
            List<String> rows = lines.subList(end + 1, lines.size()).stream().dropWhile(String::isBlank)
                    .takeWhile(line -> line.startsWith("|")).skip(2).toList();
            examples.add(new Example(String.join("\n", lines.subList(i + 2, end)), rows));
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theRulesAreValid(Example example) {
        BundleReport report = new BundleValidator(BuiltIns.none()).validate(BundleLoader.parse(Path.of("none"),
                new LinkedHashMap<>(Map.of("toolfleet.yaml", TOOLS + example.yaml()))));

        assertThat(report.valid()).as("%s", report.problems()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theTablesSayWhatTheRulesDecide(Example example) {
        Fleet fleet = new Fleet().bundle("acme", TOOLS + example.yaml());

        for (String row : example.rows()) {
            String[] cells = row.split("\\|", -1);
            PolicyDecision decision = decide(fleet, cells[1].split("`", -1), caller(cells[2].strip()));
            assertThat(Fleet.text(decision) + " | " + decision.verdict().cause().stage().text()).as(row)
                    .isEqualTo(cells[3].strip() + " | " + cells[4].strip());
        }
    }

    /// Decides about a tool alone, as for a catalog, or with arguments behind it.
    private static PolicyDecision decide(Fleet fleet, String[] call, PolicyCaller caller) {
        return call.length < 4
                ? fleet.decide(call[1], caller)
                : fleet.policy().decide(new PolicyQuery(fleet.tool("acme", call[1]), caller,
                        Json.MAPPER.readTree(call[3])), Fleet.NOW);
    }

    @Test
    void everyTestOfAConditionIsDescribed() {
        assertThat(column("test")).isEqualTo(ParsedCondition.TESTS);
    }

    @Test
    void thereAreExamplesWithTables() {
        assertThat(examples()).hasSize(8);
        assertThat(examples().stream().mapToInt(example -> example.rows().size()).sum()).isEqualTo(27);
    }

    @Test
    void everyFieldOfARuleIsDescribed() {
        assertThat(column("field")).containsExactlyInAnyOrderElementsOf(
                new TreeSet<>(Stream.concat(PolicyRule.FIELDS.stream(), RuleSelector.FIELDS.stream()).toList()));
        assertThat(Docs.table(FILE, "field").toString()).contains(ToolFlag.texts());
    }

    @Test
    void everyStageIsDescribedInItsOrder() {
        assertThat(column("stage")).isEqualTo(Stream.of(Stage.values()).map(Stage::text).toList());
    }

    @Test
    void everyShippedGroupIsDescribed() {
        assertThat(Docs.table(FILE, "group")).extracting(
                row -> row.cell("group").replace("`", "") + " " + row.cell("default") + " "
                        + row.cell("in the prompt"))
                .containsExactlyInAnyOrderElementsOf(ToolGroupSpec.SHIPPED.values().stream()
                        .map(group -> group.name() + " " + group.defaultPolicy().orElseThrow().text() + " "
                                + Choices.text(group.includeInPromptWhen()))
                        .toList());
    }

    private static List<String> column(String first) {
        return Docs.table(FILE, first).stream().map(row -> row.cell(first).replace("`", "")).toList();
    }

    private static PolicyCaller caller(String text) {
        return new PolicyCaller(id(text, "user "), id(text, "channel "), id(text, "agent "));
    }

    private static @Nullable String id(String text, String what) {
        return Stream.of(text.split(", ")).filter(part -> part.startsWith(what))
                .map(part -> part.substring(what.length())).findFirst().orElse(null);
    }
}
