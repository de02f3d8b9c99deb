package dev.toolfleet.bundle.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.bundle.Choices;
import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.EffectBudgetSpec;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.ResultGuardSpec;
import dev.toolfleet.bundle.RetrySpec;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.RuleSource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/// The schemas of the kinds agree with the code that reads the kinds, and with their page.
class ShapesTest {
    private static final Path FOLDER = Path.of("src/main/resources/dev/toolfleet/bundle/schemas");
    private static final String RULE = "/$defs/rule/properties";
    private static final String EXPORT = "/$defs/export/properties";

    static Stream<String> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachSchemaIsOneAndIsOnThePage(String file) throws IOException {
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()))
                .validate(schema(file.replace(".schema.json", "")))).isEmpty();
        assertThat(Files.readString(Path.of("../docs/validation.md"))).contains(file);
    }

    @Test
    void eachKindThatIsPublishedHasASchema() throws IOException {
        assertThat(files()).contains(
                Kinds.PUBLISHED.stream().map(kind -> kind + ".schema.json").toArray(String[]::new));
    }

    @Test
    void wordsAreThoseOfTheCode() {
        assertThat(texts("common", "/$defs/verdict/enum")).isEqualTo(Choices.texts(Verdict.class));
        assertThat(texts("common", "/$defs/reach/enum")).isEqualTo(Choices.texts(ToolPolicySpec.Reach.class));
        assertThat(texts("ToolPolicy", RULE + "/mode/enum")).isEqualTo(Choices.texts(PolicyRule.Mode.class));
        assertThat(texts("EffectBudget", "/properties/spec/properties/per/enum"))
                .isEqualTo(Choices.texts(EffectBudgetSpec.Per.class));
        assertThat(texts("common", "/$defs/flag/enum")).isEqualTo(ToolFlag.texts());
        assertThat(texts("common", "/$defs/source/enum")).isEqualTo(RuleSource.texts());
        assertThat(texts("ToolGroup", "/properties/spec/properties/defaultPolicy/enum"))
                .isEqualTo(Choices.texts(Verdict.class));
        assertThat(texts("ToolGroup", "/properties/spec/properties/includeInPromptWhen/enum"))
                .isEqualTo(Choices.texts(PromptInclusion.class));
    }

    @Test
    void fieldsAreThoseOfTheCode() {
        assertThat(fields("ToolPolicy", "/properties/spec/properties")).isEqualTo(ToolPolicySpec.FIELDS);
        assertThat(fields("ToolPolicy", RULE)).isEqualTo(union(PolicyRule.FIELDS, RuleSelector.FIELDS));
        assertThat(fields("ToolPolicy", RULE + "/scope/properties")).isEqualTo(Set.copyOf(RuleScope.KEYS));
        assertThat(fields("ToolPolicy", RULE + "/approvals/properties")).isEqualTo(ApprovalTerms.FIELDS);
        assertThat(fields("EffectBudget", "/properties/spec/properties"))
                .isEqualTo(union(EffectBudgetSpec.FIELDS, RuleSelector.FIELDS));
        assertThat(fields("ResultGuard", "/properties/spec/properties"))
                .isEqualTo(union(ResultGuardSpec.FIELDS, RuleSelector.FIELDS));
    }

    @Test
    void limitsAreThoseOfTheCode() {
        assertThat(number("ToolPolicy", RULE + "/approvals/properties/quorum/maximum")).isEqualTo(ApprovalTerms.MOST);
        assertThat(number("ResultGuard", "/properties/spec/properties/maxContentLength/minimum"))
                .isEqualTo(ResultGuardSpec.MIN_CONTENT_LENGTH);
        assertThat(number("ResultGuard", "/properties/spec/properties/redactPatterns/maxItems"))
                .isEqualTo(ResultGuardSpec.MAX_PATTERNS);
        assertThat(number("Tool", EXPORT + "/cost/maximum")).isEqualTo(ToolExport.ExportPolicy.MAX_COST);
        assertThat(number("Tool", EXPORT + "/retry/properties/maxAttempts/maximum"))
                .isEqualTo(RetrySpec.MOST_ATTEMPTS);
        assertThat(number("Tool", EXPORT + "/limits/properties/circuitBreaker/properties/window/maximum"))
                .isEqualTo(BreakerSpec.LONGEST_WINDOW);
        assertThat(number("Tool", EXPORT + "/limits/properties/maxConcurrent/then/properties/perCore/maximum"))
                .isEqualTo(Concurrency.MOST);
    }

    // Otherwise: the comparison throws, and no problem of the bundle is reported.
    @ParameterizedTest
    @ValueSource(strings = {"limits: {ratePerSecond: 1e999999999}", "limits: {maxConcurrent: 99999999999999999999}",
            "async: {poll: {factor: 1e999999999}}", "limits: {circuitBreaker: {window: 3.0}}",
            "group: 1e999999999"})
    void aNumberThatNoReaderTakesIsReported(String export) {
        assertThat(Checked.at(Checked.export(export), Severity.ERROR)).singleElement()
                .matches(problem -> problem.code() == ProblemCode.E_CONFIG_SCHEMA_INVALID
                        && problem.message().contains(" must be a "));
    }

    private static JsonNode schema(String kind) {
        return JsonMapper.shared().readTree(FOLDER.resolve(kind + ".schema.json").toFile());
    }

    private static List<String> texts(String kind, String pointer) {
        return schema(kind).at(pointer).values().stream().map(JsonNode::stringValue).toList();
    }

    private static Set<String> fields(String kind, String pointer) {
        return Set.copyOf(schema(kind).at(pointer).propertyNames());
    }

    private static int number(String kind, String pointer) {
        return schema(kind).at(pointer).intValue();
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }
}
