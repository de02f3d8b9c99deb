package dev.toolfleet.publishing.changeset;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.ChangesetTerms;
import dev.toolfleet.bundle.FilePattern;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.json.Digests;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.resources.ChangesetRules;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class WallTest {
    private static final String TOOL = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: notes}
            spec:
              entry: ./tools/notes.mjs
              config: {limit: 5}
              exports:
                - name: write
                  description: Writes a note
                  group: data
                  requiresApproval: true
            """;
    private static final String AGENT = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: helper}
            spec:
              prompt: {system: Be kind}
              tools: [Tool/notes, Tool/bash]
            """;
    private static final Map<String, String> BEFORE = Map.of("tool.yaml", TOOL, "agent.yaml", AGENT, "policy.yaml", """
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: careful}
            spec: {rules: [{verdict: deny, tool: "bash__*", reason: No shell}]}
            """, "prompts.yaml", """
            apiVersion: toolfleet.dev/v1
            kind: PromptSection
            metadata: {name: tone}
            spec: {text: Be brief}
            """, "tools/notes.mjs", "export const handlers = {}");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"tool.yaml | Writes a note | Writes a long note",
            "tool.yaml | limit: 5 | limit: 6", "tool.yaml | notes.mjs | other.mjs",
            "agent.yaml | Be kind | Be kind and brief", "prompts.yaml | Be brief | Be very brief",
            "tools/notes.mjs | {} | {write() {}}"})
    void whatDecidesNothingAboutRightsMayChange(String file, String from, String to) {
        assertThat(violations(List.of(), file, text(file).replace(from, to))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"tool.yaml | requiresApproval: true | requiresApproval: false",
            "tool.yaml | group: data | group: system", "tool.yaml | goondan.ai/v1 | agents.example.io/v1alpha1",
            "tool.yaml | name: write | name: other", "tool.yaml | ./tools/notes.mjs | builtin:bash",
            "tool.yaml | ./tools/notes.mjs | ./lib/notes.jar#acme.Notes",
            "tool.yaml | ./tools/notes.mjs | java:acme.Notes",
            "tool.yaml | config: {limit: 5} | config: {limit: {valueFrom: {env: AWS_SECRET_ACCESS_KEY}}}",
            "tool.yaml | config: {limit: 5} | config: {list: [{valueFrom: {env: AWS_SECRET_ACCESS_KEY}}]}",
            "tool.yaml | config: {limit: 5} | auth: {oauthAppRef: OAuthApp/github}",
            "tool.yaml | config: {limit: 5} | network: true", "tool.yaml | config: {limit: 5} | isolation: bundle",
            "agent.yaml | Tool/bash | Tool/sh", "agent.yaml | name: helper | name: other",
            "agent.yaml | tools: [Tool/notes, Tool/bash] | changesets: {allowed: {files: ['**']}}",
            "agent.yaml | tools: [Tool/notes, Tool/bash] | extensions: [Extension/mcp]", "policy.yaml | deny | allow",
            "policy.yaml | kind: ToolPolicy | kind: ToolGroup", "prompts.yaml | text: Be brief | reach: fleet"})
    void whatDecidesAboutRightsMayChangeOnlyInAFileThatIsNamed(String file, String from, String to) {
        String after = text(file).replace(from, to);

        assertThat(after).isNotEqualTo(text(file));
        assertThat(violations(List.of(), file, after)).containsOnlyKeys(file);
        assertThat(violations(List.of("**", file.replace("yaml", "*")), file, after)).containsOnlyKeys(file);
        assertThat(violations(List.of(file), file, after)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"policy.yaml", "agent.yaml"})
    void noneOfItIsRemoved(String file) {
        assertThat(violations(List.of(), file, "")).containsOnlyKeys(file);
    }

    /// Otherwise: the resource of the file that is read first counts.
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "apiVersion: toolfleet.dev/v1 | ToolPolicy | {rules: [{verdict: allow, tool: '*', reason: All}]}",
            "apiVersion: toolfleet.dev/v1 | OAuthApp | {provider: x}", "apiVersion: goondan.ai/v1 | Swarm | {}",
            "apiVersion: toolfleet.dev/v1 | ResultGuard | {tool: notes__*}",
            "apiVersion: goondan.ai/v1 | Extension | {entry: 'builtin:mcp'}",
            "apiVersion: goondan.ai/v1 | Package | {version: 1.0.0}", "apiVersion: goondan.ai/v1 | Agent | {tools: []}",
            "apiVersion: goondan.ai/v1 | Model | {provider: x}"})
    void noneOfItIsMade(String version, String kind, String spec) {
        String made = version + "\nkind: " + kind + "\nmetadata: {name: fresh}\nspec: " + spec + "\n";

        assertThat(violations(List.of(), "a.yaml", made)).containsOnlyKeys("a.yaml");
        assertThat(violations(List.of("a.yaml"), "a.yaml", made)).isEmpty();
    }

    /// Otherwise: an agent gives itself tools that spend nothing of a budget of cost.
    @Test
    void noExportOfAnAgentDecidesWhatItSpendsOfBudgets() {
        String made = """
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata: {name: more}
                spec: {entry: ./tools/more.mjs, network: false, exports: [{name: run, cost: 0}]}
                """;
        String free = "    - name: free\n      requiresApproval: true\n      cost: 0\n";

        assertThat(violations(List.of(), "more.yaml", made)).containsOnlyKeys("more.yaml")
                .allSatisfy((file, why) -> assertThat(why).contains("declares a cost", "budgets"));
        assertThat(violations(List.of(), "more.yaml", made.replace(", cost: 0", ""))).isEmpty();
        assertThat(violations(List.of(), "tool.yaml", TOOL + free)).containsOnlyKeys("tool.yaml")
                .allSatisfy((file, why) -> assertThat(why).contains("declares a cost"));
        assertThat(violations(List.of(), "tool.yaml", TOOL + free.replace("      cost: 0\n", ""))).isEmpty();
        assertThat(violations(List.of(), "tool.yaml", TOOL + "      cost: 0\n")).as("of an export that is there")
                .containsOnlyKeys("tool.yaml");
    }

    /// Otherwise: the same script comes back under a name that costs 1.
    @Test
    void anExportWithACostIsNeitherRemovedNorGivenAnotherName() {
        String dear = TOOL.replace("group: data", "cost: 50").replace("      requiresApproval: true\n", "");
        String cheap = dear.replace("name: write", "name: put").replace("      cost: 50\n", "");
        Map<String, String> before = new HashMap<>(BEFORE);
        before.put("tool.yaml", dear);

        assertThat(violations(before, List.of(), "tool.yaml", cheap)).containsOnlyKeys("tool.yaml");
        assertThat(violations(before, List.of(), "tool.yaml", "")).containsOnlyKeys("tool.yaml");
        assertThat(violations(before, List.of(), "tool.yaml", dear + "    - name: put\n"))
                .as("beside it, without approval")
                .containsOnlyKeys("tool.yaml");
    }

    @Test
    void aToolOfAScriptMayBeMadeIfItHasNoNetworkAndReplacesNone() {
        String made = """
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata: {name: more}
                spec: {entry: ./tools/more.mjs, network: false, exports: [{name: run}]}
                """;

        assertThat(violations(List.of(), "more.yaml", made)).isEmpty();
        assertThat(violations(List.of(), "more.yaml", made.replace("network: false, ", ""))).hasSize(1);
        assertThat(violations(List.of(), "more.yaml", made.replace("network: false", "network: true"))).hasSize(1);
        assertThat(violations(List.of(), "more.yaml", made.replace("name: more", "name: bash"))).as("Agents list one")
                .hasSize(1);
        assertThat(violations(List.of(), "more.yaml", made.replace("goondan.ai/v1", "agents.example.io/v1alpha1")))
                .hasSize(1);
        assertThat(violations(List.of(), "more.yaml", made.replace("{name: run}", "{name: run, auth: {scopes: [a]}}")))
                .hasSize(1);
        assertThat(violations(List.of(), "more.yaml", made.replace("network", "isolation: bundle, network")))
                .hasSize(1);
    }

    /// Otherwise: what is restricted is removed by one changeset, and made anew without the restriction by another.
    @Test
    void whatIsRestrictedIsNotRemovedAndWhatJoinsItNeedsApproval() {
        String joined = TOOL + "    - name: read\n      description: Reads\n";

        assertThat(violations(List.of(), "tool.yaml", "")).containsOnlyKeys("tool.yaml");
        assertThat(violations(List.of(), "tool.yaml", joined)).containsOnlyKeys("tool.yaml");
        assertThat(violations(List.of(), "tool.yaml", joined + "      requiresApproval: true\n")).isEmpty();
        assertThat(violations(List.of(), "tool.yaml",
                joined + "      requiresApproval: true\n      auth: {scopes: [repo]}\n")).containsOnlyKeys("tool.yaml");
    }

    @Test
    void skillsChangeUnlessOtherBundlesHaveThem() {
        Map<String, String> after = new TreeMap<>(BEFORE);
        after.put("skill.yaml", """
                apiVersion: toolfleet.dev/v1
                kind: Skill
                metadata: {name: greet}
                spec: {description: Greets, body: Say hello}
                """);
        Changes changes = Changes.between(files(BEFORE), files(after));

        assertThat(Wall.violations(rules(List.of()), changes, bundle(BEFORE), bundle(after), false)).isEmpty();
        assertThat(Wall.violations(rules(List.of()), changes, bundle(BEFORE), bundle(after), true))
                .containsOnlyKeys("skill.yaml");
    }

    @Test
    void aSecondResourceOfOneNameInAnotherFileIsAChangeOfTheFirst() {
        String second = text("policy.yaml").replace("deny", "allow");

        assertThat(violations(List.of(), "goondan.yaml", second)).containsKey("goondan.yaml");
    }

    @Test
    void codeThatRunsInWorkersAndFilesThatAreNotAllowedAreRefused() {
        assertThat(violations(List.of(), "lib/a.JAR", "PK")).containsOnlyKeys("lib/a.JAR");
        assertThat(violations(List.of(), "lib/.gitattributes", "*")).containsOnlyKeys("lib/.gitattributes");
        assertThat(violations(List.of("tools/**"), "lib/a.txt", "x")).containsEntry("lib/a.txt",
                "is not among the allowed files");
        assertThat(violations(List.of("tools/**"), "tools/a.mjs", "x")).isEmpty();
    }

    @Test
    void noLinkIsMadeEvenWhereTheFileIsNamed() {
        Changes changes = new Changes(new TreeMap<>(Map.of("a", new GitFile(id("x"), GitFile.Type.LINK))),
                new TreeMap<>(), new TreeSet<>());

        assertThat(Wall.violations(rules(List.of("a")), changes, bundle(BEFORE), bundle(BEFORE), false))
                .containsOnlyKeys("a");
    }

    private static String text(String file) {
        return requireNonNull(BEFORE.get(file));
    }

    /// @param file what is written; removed when its text is empty
    private static SortedMap<String, String> violations(List<String> allowed, String file, String text) {
        return violations(BEFORE, allowed, file, text);
    }

    private static SortedMap<String, String> violations(Map<String, String> before, List<String> allowed, String file,
            String text) {
        Map<String, String> after = new TreeMap<>(before);
        if (text.isEmpty())
            after.remove(file);
        else
            after.put(file, text);
        return Wall.violations(rules(allowed), Changes.between(files(before), files(after)), bundle(before),
                bundle(after), false);
    }

    private static ChangesetRules rules(List<String> allowed) {
        return new ChangesetRules(true, List.of(
                new ChangesetTerms(true, allowed.stream().map(FilePattern::of).toList(), true),
                new ChangesetTerms(false, List.of(), true)), true);
    }

    private static Bundle bundle(Map<String, String> texts) {
        SequencedMap<String, String> yaml = new LinkedHashMap<>();
        new TreeMap<>(texts).forEach((path, text) -> {
            if (path.endsWith(".yaml"))
                yaml.put(path, text);
        });
        return BundleLoader.parse(Path.of("bundle"), yaml).bundle();
    }

    private static SortedMap<String, GitFile> files(Map<String, String> texts) {
        SortedMap<String, GitFile> files = new TreeMap<>();
        texts.forEach((path, text) -> files.put(path, new GitFile(id(text), GitFile.Type.REGULAR)));
        return files;
    }

    private static ObjectId id(String text) {
        return ObjectId.fromString(Digests.sha256(text).substring("sha256:".length()).substring(0, 40));
    }
}
