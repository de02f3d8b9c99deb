package dev.toolfleet.cli.fleet;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// The commands that talk to a fleet which runs elsewhere.
class RemoteCommandsIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: %s, package: "@toolfleet/base"}}]
            """;

    private static final String BUNDLE_OF_V08 = """
            apiVersion: agents.example.io/v1alpha1
            kind: Tool
            metadata: {name: shellToolkit}
            spec:
              entry: builtin:bash
              exports: [{name: exec, description: Runs a command}]
            ---
            apiVersion: agents.example.io/v1alpha1
            kind: Agent
            metadata: {name: coder}
            spec: {tools: [{kind: Tool, name: shellToolkit}]}
            """;

    @TempDir
    private Path folder = Path.of("");
    private final TypedCommands commands = TypedCommands.of(100);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    @Test
    void anAppliedRevisionDecidesWhatTheNextStepMayCall() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE.formatted("bash"));
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of());
        try (ProgressNote progress = new ProgressNote(commands.terminal());
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
            String broker = fleet.bootstrapServers();
            assertThat(
                    run("call", "bash__exec", "{\"command\":\"echo hi\"}", "--agent", "coder", "--bootstrap", broker))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains("\"ok\"").contains("hi");

            Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE.formatted("file-system"));
            assertThat(run("apply", bundle.toString(), "--name", "bundle", "--bootstrap", broker)).as(err.toString())
                    .isZero();
            assertThat(out.toString()).contains("2");
            assertThat(run("apply", "@toolfleet/base", "--bootstrap", broker)).as(err.toString()).isZero();

            // The catalog service reads the new revision within moments; a step announced before still has the old one.
            List<String> answers = new ArrayList<>();
            for (int attempt = 0; attempt < 50
                    && answers.stream().noneMatch(a -> a.contains("NOT_IN_CATALOG")); attempt++) {
                run("call", "bash__exec", "{\"command\":\"echo hi\"}", "--agent", "coder", "--bootstrap", broker);
                answers.add(out.toString());
            }
            assertThat(answers.getLast()).contains("E_TOOL_NOT_IN_CATALOG");
            assertThat(run("call", "file-system__list", "{}", "--agent", "coder", "--bootstrap", broker))
                    .as(err.toString()).isZero();
        }
    }

    @Test
    void theCatalogsOfAFleetAreShownAndCompared() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE.formatted("bash"));
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of());
        try (ProgressNote progress = new ProgressNote(commands.terminal());
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
            String broker = fleet.bootstrapServers();
            assertThat(run("catalog", "show", "--instance", "chat:1", "--bootstrap", broker)).isEqualTo(1);
            assertThat(err.toString()).contains("'chat:1'", "No other instance has one either");

            call("bash__exec", broker);
            assertThat(run("catalog", "show", "--instance", "chat:1", "--bootstrap", broker)).as(err.toString())
                    .isZero();
            assertThat(out.toString()).contains("coder of instance chat:1", "1 of bundle", "bash__exec", "config bash");
            assertThat(run("catalog", "show", "--instance", "chat:1", "--agent", "poet", "--bootstrap", broker))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("'poet'", "coder");
            assertThat(run("prompt", "show", "--instance", "chat:1", "--agent", "coder", "--bootstrap", broker))
                    .as(err.toString()).isZero();
            // PRM-14: tools that the catalog does not hold are not in the prompt.
            assertThat(out.toString()).contains("## Identity", "## Tools", "- bash__exec: ")
                    .doesNotContain("file-system");
            assertThat(err.toString()).contains("sha256:", "tools: ");
            assertThat(run("prompt", "show", "--instance", "chat:1", "--agent", "coder", "--max-tokens", "3",
                    "--bootstrap",
                    broker)).isEqualTo(1);
            assertThat(err.toString()).contains("E_PROMPT_TOO_LARGE");
            String first = digest(broker);

            Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE.formatted("file-system"));
            assertThat(run("apply", bundle.toString(), "--name", "bundle", "--dry-run", "--bootstrap", broker))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains("from revision 1 to revision 2", "  ~ Agent/coder", "spec.tools[",
                    "nothing was written").doesNotContain("\u001B");
            assertThat(run("apply", bundle.toString(), "--name", "other", "--bootstrap", broker)).isEqualTo(2);
            assertThat(err.toString()).contains("the Agent coder is declared by the bundle bundle already");
            assertThat(run("apply", bundle.toString(), "--name", "bundle", "--bootstrap", broker)).as(err.toString())
                    .isZero();

            String second = first;
            for (int attempt = 0; attempt < 50 && second.equals(first); attempt++) {
                call("file-system__list", broker);
                second = digest(broker);
            }
            assertThat(run("catalog", "diff", first.substring(7, 17), second, "--bootstrap", broker))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains(first + " → " + second, "  - bash__exec", "  + file-system__list");
            Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE_OF_V08);
            assertThat(run("apply", bundle.toString(), "--name", "bundle", "--bootstrap", broker)).as(err.toString())
                    .isZero();
            int answer = 1;
            for (int attempt = 0; attempt < 50 && answer != 0; attempt++)
                answer = run("call", "exec", "{\"command\":\"echo hi\"}", "--instance", "chat:1", "--agent", "coder",
                        "--bootstrap", broker);
            assertThat(out.toString()).as("by the export's name alone").contains("\"hi");

            assertThat(run("catalog", "diff", first, "000000", "--bootstrap", broker)).isEqualTo(1);
            assertThat(err.toString()).contains("sha256:000000", "catalog show");
            assertThat(run("catalog", "diff", first, "sha256:", "--bootstrap", broker)).isEqualTo(2);
        }
    }

    private void call(String name, String broker) {
        run("call", name, "{}", "--instance", "chat:1", "--agent", "coder", "--bootstrap", broker);
    }

    private String digest(String broker) {
        run("catalog", "show", "--instance", "chat:1", "--json", "--bootstrap", broker);
        return Json.MAPPER.readTree(out.toString()).at("/catalog/digest").stringValue();
    }

    @Test
    void anAppliedPolicyHidesWhatItDeniesAndIsExplained() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE.formatted("file-system") + """
                ---
                apiVersion: toolfleet.dev/v1
                kind: ToolPolicy
                metadata: {name: p}
                spec:
                  rules:
                    - {id: no-writing, tool: file-system__write, verdict: deny}
                    - {id: looking, tool: file-system__list, verdict: allow}
                """);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of());
        try (ProgressNote progress = new ProgressNote(commands.terminal());
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
            String broker = fleet.bootstrapServers();
            run("call", "file-system__write", "{\"path\":\"a\",\"content\":\"b\"}", "--agent", "coder", "--bootstrap",
                    broker);
            assertThat(out.toString()).contains("E_TOOL_NOT_IN_CATALOG",
                    "hidden in this step, for example by a policy");
            assertThat(run("call", "file-system__list", "{}", "--agent", "coder", "--bootstrap", broker))
                    .as(err.toString()).isZero();

            assertThat(run("policy", "explain", "file-system__write", "--agent", "coder", "--bootstrap", broker))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains("deny by bundle/p/no-writing (tool-policy)");

            assertThat(run("policy", "deny", "*__list", "--for", "1h", "--reason", "Odd.", "--bootstrap", broker))
                    .as(err.toString()).isZero();
            assertThat(lists(broker, false)).isEqualTo("no");
            assertThat(run("policy", "lift", "*__list", "--bootstrap", broker)).as(err.toString()).isZero();
            assertThat(lists(broker, true)).isEqualTo("yes");
        }
    }

    /// Whether a step may list, once steps heed what was switched: within moments.
    private String lists(String broker, boolean hoped) {
        boolean lists = !hoped;
        for (int attempt = 0; attempt < 50 && lists != hoped; attempt++)
            lists = run("call", "file-system__list", "{}", "--agent", "coder", "--bootstrap", broker) == 0;
        return lists ? "yes" : "no";
    }

    private int run(String... arguments) {
        return commands.run(arguments);
    }
}
