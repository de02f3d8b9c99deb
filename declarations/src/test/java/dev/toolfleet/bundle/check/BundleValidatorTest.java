package dev.toolfleet.bundle.check;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BundleValidatorTest {
    @Test
    void aBundleOfGoondansUsersIsValid() {
        BundleReport report = GoondanBundle.report();

        // The test writes no files beside the declarations.
        assertThat(report.problems()).filteredOn(problem -> problem.severity().compareTo(Severity.WARNING) <= 0)
                .extracting(BundleProblem::message)
                .allMatch(message -> message.endsWith("does not exist in the bundle."));
        assertThat(report.problems()).noneMatch(p -> p.code() == ProblemCode.E_CONFIG_UNKNOWN_FIELD);
        assertThat(report.bundle().packageName()).contains("@acme/coding-team");
    }

    @Test
    void aValidBundlesTypedViewsCanBeRead() {
        BundleReport report = GoondanBundle.report();

        ToolSpec ticket = ToolSpec.of(report.bundle().find("Tool", "ticket").orElseThrow().document());
        assertThat(ticket.runnable()).isTrue();
        assertThat(ticket.exports()).extracting(export -> ticket.fullName(export))
                .containsExactly("ticket__open", "ticket__close");
        AgentSpec lead = AgentSpec.of(report.bundle().find("Agent", "lead").orElseThrow().document());
        assertThat(lead.tools()).hasSize(3);
        assertThat(lead.requiredTools()).containsExactly("telegram__send", "ticket__close");
    }

    @Test
    void theBuiltInBundleIsItsOwnBuiltIn() {
        LoadResult base = BundleLoader.parse(Path.of("."), files("toolfleet.yaml", """
                apiVersion: toolfleet.dev/v1
                kind: Package
                metadata: {name: "@toolfleet/base"}
                ---
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata: {name: bash}
                spec: {entry: "builtin:bash", exports: [{name: exec}]}
                """));
        BuiltIns builtIns = BuiltIns.of(base.bundle());

        assertThat(new BundleValidator(builtIns).validate(base).valid()).isTrue();
        assertThat(builtIns.exports("bash")).hasValueSatisfying(names -> assertThat(names).containsExactly("exec"));
    }

    @Test
    void problemsComeInTheOrderOfTheFiles() {
        BundleReport report = Checked.files("b.yaml", "apiVersion: goondan.ai/v3\nkind: Tool\nmetadata: {name: x}",
                "a/tools.yaml", "kind: Tol\nmetadata: {}");

        assertThat(report.problems()).extracting(problem -> problem.file() + problem.line())
                .containsExactly("a/tools.yaml1", "a/tools.yaml2", "b.yaml1");
    }

    @Test
    void resourcesOfOldAndNewVersionsMayReferToEachOther() {
        BundleReport report = Checked.yaml("""
                apiVersion: agents.example.io/v1alpha1
                kind: Tool
                metadata: {name: slack}
                spec: {runtime: node, entry: ./x.js, exports: [{name: slack.postMessage}]}
                ---
                apiVersion: goondan.ai/v1
                kind: Agent
                metadata: {name: a}
                spec: {tools: [Tool/slack]}
                """);

        assertThat(Checked.at(report, Severity.ERROR)).extracting(BundleProblem::code)
                .containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
    }

    @Test
    void hundredsOfFilesAreQuick() {
        SequencedMap<String, String> files = new LinkedHashMap<>();
        for (int i = 0; i < 500; i++) {
            files.put("f" + i + "/tools.yaml", GoondanBundle.TOOLS.replace("name: ticket", "name: ticket" + i));
            files.put("f" + i + "/agents.yaml", "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: a%d}\n"
                    .formatted(i) + "spec: {tools: [Tool/ticket" + i + ", Tool/ticket0]}\n");
        }
        long start = System.nanoTime();

        LoadResult loaded = BundleLoader.parse(Path.of("."), files);
        BundleReport report = new BundleValidator(BuiltIns.none()).validate(loaded);

        assertThat(report.bundle().resources()).extracting(Resource::kind).hasSize(1000);
        assertThat(Checked.at(report, Severity.ERROR)).extracting(BundleProblem::code)
                .containsOnly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
        assertThat(System.nanoTime() - start).as("nanoseconds for 1,000 files").isLessThan(120_000_000_000L);
    }

    private static SequencedMap<String, String> files(String name, String text) {
        return new LinkedHashMap<>(Map.of(name, text));
    }
}
