package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class EnvelopeRulesTest {
    static Stream<Case> documents() {
        return Stream.of(
                Case.error("an apiVersion is required", "kind: Agent\nmetadata: {name: a}\nspec: {}",
                        ProblemCode.E_CONFIG_UNSUPPORTED_API_VERSION, "apiVersion", "missing"),
                Case.error("an apiVersion is a known one",
                        "apiVersion: goondan.ai/v2\nkind: Agent\nmetadata: {name: a}\nspec: {}",
                        ProblemCode.E_CONFIG_UNSUPPORTED_API_VERSION, "apiVersion", "Did you mean goondan.ai/v1?"),
                Case.error("a kind is required", "apiVersion: goondan.ai/v1\nmetadata: {name: a}\nspec: {}",
                        ProblemCode.E_CONFIG_UNKNOWN_KIND, "kind", "missing"),
                Case.error("a kind is a known one",
                        "apiVersion: goondan.ai/v1\nkind: Agnet\nmetadata: {name: a}\nspec: {}",
                        ProblemCode.E_CONFIG_UNKNOWN_KIND, "kind", "Did you mean Agent?"),
                Case.error("the fleet's kinds have their own version",
                        "apiVersion: goondan.ai/v1\nkind: ToolPolicy\nmetadata: {name: a}\nspec: {}",
                        ProblemCode.E_CONFIG_UNKNOWN_KIND, "kind", "toolfleet.dev/v1"),
                Case.error("a name is required", "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {}\nspec: {}",
                        ProblemCode.E_CONFIG_INVALID_NAME, "metadata.name", "missing"),
                Case.error("metadata is required", "apiVersion: goondan.ai/v1\nkind: Agent\nspec: {}",
                        ProblemCode.E_CONFIG_INVALID_NAME, "metadata.name", "missing"),
                Case.error("a name is a text", "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: 7}\nspec: {}",
                        ProblemCode.E_CONFIG_INVALID_NAME, "metadata.name", "is 7"),
                Case.error("a name has no slash", agent("{name: a/b}"), ProblemCode.E_CONFIG_INVALID_NAME,
                        "metadata.name", "may hold only"),
                Case.hint("a name is lower case", agent("{name: Coder}"), ProblemCode.E_CONFIG_INVALID_NAME,
                        "metadata.name", "unusual"),
                Case.warning("a name is short", agent("{name: " + "x".repeat(64) + "}"),
                        ProblemCode.E_CONFIG_INVALID_NAME, "metadata.name", "64 characters"),
                Case.error("a Tool's name holds no __", tool("{name: a__b}"), ProblemCode.E_CONFIG_INVALID_NAME,
                        "metadata.name", "'__'"),
                Case.error("a Tool's name ends without _", tool("{name: a_}"), ProblemCode.E_CONFIG_INVALID_NAME,
                        "metadata.name", "begin or end"),
                Case.error("labels are texts", agent("{name: a, labels: {version: 1.0}}"),
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "metadata.labels.version", "Quote it"),
                Case.error("labels are a mapping", agent("{name: a, labels: [x]}"),
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "metadata.labels", "mapping"),
                Case.error("annotations are texts", agent("{name: a, annotations: {acme.io/x: true}}"),
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "metadata.annotations[\"acme.io/x\"]", "Quote it"),
                Case.error("a spec is required", "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: a}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec", "missing"),
                Case.error("a spec is a mapping",
                        "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: a}\nspec: [x]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec", "mapping"),
                Case.warning("an unknown field is reported", agent("{name: a, lables: {}}"),
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "metadata.lables", "Did you mean labels?"),
                Case.error("a Package stands first", agent("{name: a}") + "\n---\n" + packageNamed("p"),
                        ProblemCode.E_CONFIG_PACKAGE_DOC_POSITION, "kind", "first document"),
                Case.error("a file has one Package", packageNamed("p") + "\n---\n" + packageNamed("q"),
                        ProblemCode.E_CONFIG_PACKAGE_DOC_DUPLICATED, "kind", "two Package"),
                Case.error("kind and name are unique", agent("{name: a}") + "\n---\n" + agent("{name: a}"),
                        ProblemCode.E_CONFIG_DUPLICATE_NAME, "metadata.name", "exists already"),
                Case.error("an extension has an entry",
                        "apiVersion: goondan.ai/v1\nkind: Extension\nmetadata: {name: a}\nspec: {config: {}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "missing"),
                Case.notice("an extension in TypeScript is the runtime's",
                        "apiVersion: goondan.ai/v1\nkind: Extension\nmetadata: {name: a}\nspec: {entry: ./x.ts}",
                        ProblemCode.E_CONFIG_ENTRY_NOT_RUN, "spec.entry", "agent runtime"),
                Case.error("a dependency has a name",
                        "apiVersion: goondan.ai/v1\nkind: Package\nmetadata: {name: a}\nspec: {dependencies: [{}]}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.dependencies[0].name", "missing"));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyRuleOfAResourceIsReported(Case row) {
        row.verify(Checked.yaml(row.text()));
    }

    @Test
    void eachKindOfBothVersionsIsAccepted() {
        for (String kind : new String[]{"Model", "Connector", "Connection"}) {
            assertThat(Checked.yaml(document("goondan.ai/v1", kind)).problems()).isEmpty();
            assertThat(Checked.yaml(document("toolfleet.dev/v1", kind)).problems()).isEmpty();
        }
        for (String kind : new String[]{"ToolGroup", "ToolPolicy", "ResultGuard"}) {
            assertThat(Checked.yaml(document("toolfleet.dev/v1", kind)).valid()).isTrue();
        }
    }

    @Test
    void anExtensionInJavaIsFine() {
        BundleReport report = Checked.yaml("apiVersion: goondan.ai/v1\nkind: Extension\nmetadata: {name: a}\n"
                + "spec: {entry: \"java:com.acme.Audit\", config: {level: info}}");

        assertThat(report.problems()).isEmpty();
    }

    @Test
    void aPackageInAnotherFileIsAWarning() {
        BundleReport report = Checked.files("tools.yaml", packageNamed("p"));

        assertThat(Checked.found(report, Severity.WARNING, ProblemCode.E_CONFIG_PACKAGE_DOC_POSITION, "kind"))
                .isTrue();
    }

    @Test
    void duplicatesAcrossFilesNameTheFirst() {
        BundleReport report = Checked.files("goondan.yaml", agent("{name: a}"), "agents.yaml", agent("{name: a}"));

        assertThat(Checked.at(report, Severity.ERROR)).singleElement().satisfies(problem -> {
            assertThat(problem.file()).isEqualTo("agents.yaml");
            assertThat(problem.message()).contains("goondan.yaml line 3");
        });
    }

    private static String agent(String metadata) {
        return "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: " + metadata + "\nspec: {}";
    }

    private static String tool(String metadata) {
        return "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: " + metadata
                + "\nspec: {entry: \"java:a.B\", exports: [{name: x}]}";
    }

    private static String packageNamed(String name) {
        return document("goondan.ai/v1", "Package").replace("name: x", "name: " + name);
    }

    private static String document(String apiVersion, String kind) {
        return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: x}\nspec: {}";
    }
}
