package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.Stage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyCommandIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/coder"}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: bash, package: "@toolfleet/base"}}]
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: production}
            spec:
              rules:
                - {id: ann, tool: "bash__*", verdict: allow, scope: {userId: ann}}
                - {id: no-scripts, tool: bash__script, verdict: deny, reason: Scripts are for the night shift.}
                - {id: no-bash, tool: "bash__*", verdict: deny, scope: {channelId: public}}
                - id: status
                  tool: bash__exec
                  verdict: allow
                  scope: {channelId: ci}
                  when: {args: [{path: /command, matches: "git (status|log)"}, {path: /env, exists: false}]}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
    }

    @Test
    void everyStageIsShownAndTheOneThatDecidesIsMarked() {
        assertThat(explain("bash__script", "--user", "ann")).isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines.getFirst())
                .startsWith("bash__script of @toolfleet/base: source config, entry builtin:bash, group system,");
        assertThat(lines.get(1)).isEqualTo("called by agent coder, user ann, channel –");
        for (Stage stage : Stage.values())
            assertThat(lines).as(stage.text()).filteredOn(line -> line.contains(" " + stage.text() + " ")).hasSize(1);
        assertThat(lines).filteredOn(line -> line.startsWith("→")).singleElement().asString()
                .contains("tool-policy", "deny", "@acme/coder/production/no-scripts", "Scripts are for");
        assertThat(lines).contains("deny by @acme/coder/production/no-scripts (tool-policy): "
                + "Scripts are for the night shift.", "A denial by a rule is final, whatever else allows the call.");
        assertThat(lines.getLast()).startsWith("policy sha256:");
    }

    @Test
    void whoAsksMakesTheDifference() {
        assertThat(verdict("bash__exec")).isEqualTo("require-approval default-policy");
        assertThat(verdict("bash__exec", "--user", "ann")).isEqualTo("allow user-allow");
        assertThat(verdict("bash__exec", "--user", "ann", "--channel", "public")).isEqualTo("deny channel-policy");
    }

    @Test
    void thePeopleWhoMustApproveAreCounted() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE
                + "    - {id: two, tool: bash__exec, verdict: require-approval, approvals: {quorum: 2}}\n"
                + "    - {id: other, tool: bash__exec, verdict: require-approval, scope: {userId: bob},"
                + " approvals: {notRequester: true}}\n");

        assertThat(explain("bash__exec", "--user", "bob")).isZero();
        assertThat(out.toString().lines())
                .contains("2 different people must approve each call, and not the requester, user bob.");
        out.getBuffer().setLength(0);
        explain("bash__exec", "--user", "bob", "--json");
        assertThat(Json.MAPPER.readTree(out.toString()).path("approvals").toString())
                .isEqualTo("{\"quorum\":2,\"notRequester\":true}");
        assertThat(explain("bash__exec")).isZero();
        assertThat(out.toString().lines()).contains("2 different people must approve each call.");
        out.getBuffer().setLength(0);
        explain("bash__script", "--json");
        assertThat(Json.MAPPER.readTree(out.toString()).has("approvals")).isFalse();
    }

    @Test
    void aRuleInShadowIsShownAsOneThatWouldDecide() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE
                + "    - {id: soon, tool: \"bash__*\", verdict: deny, mode: shadow, reason: Soon no commands.,"
                + " when: {args: [{path: /command, exists: true}]}}\n");

        assertThat(explain("bash__exec", "--user", "ann", "--args", "{\"command\": \"ls\"}")).isZero();
        assertThat(out.toString().lines()).anySatisfy(line -> assertThat(line).containsPattern(
                "shadow +would deny +@acme/coder/production/soon +Soon no commands."))
                .contains(
                        "@acme/coder/production/soon, in shadow, would say deny when all of these are met or undecided;"
                                + " it counts:",
                        "In shadow, @acme/coder/production/soon would deny: with it, the verdict would be deny.")
                .anyMatch(line -> line.startsWith("allow by @acme/coder/production/ann"));
        out.getBuffer().setLength(0);
        explain("bash__script", "--args", "{\"command\": \"ls\"}");
        assertThat(out.toString().lines())
                .contains("In shadow, @acme/coder/production/soon would deny, and would change nothing.");
        out.getBuffer().setLength(0);
        explain("bash__exec", "--user", "ann", "--args", "{\"command\": \"ls\"}", "--json");
        assertThat(Json.MAPPER.readTree(out.toString()).at("/shadows/0").toString()).isEqualTo("{\"stage\":"
                + "\"tool-policy\",\"verdict\":\"deny\",\"rule\":\"@acme/coder/production/soon\",\"reason\":"
                + "\"Soon no commands.\",\"would\":\"deny\",\"changes\":true}");
    }

    @Test
    void eachConditionOnArgumentsIsShownWithWhatComesOfIt() {
        assertThat(explain("bash__exec", "--channel", "ci", "--args", "{\"command\": \"git push\"}")).isZero();

        assertThat(out.toString().lines()).containsSubsequence(
                "@acme/coder/production/status says allow when all of these are met; it does not count:",
                "  {\"matches\":\"git (status|log)\",\"path\":\"/command\"}  not met",
                "  {\"exists\":false,\"path\":\"/env\"}  met");
        assertThat(verdict("bash__exec", "--channel", "ci", "--args", "{\"command\": \"git push\"}"))
                .isEqualTo("require-approval default-policy");
        assertThat(verdict("bash__exec", "--channel", "ci", "--args", "{\"command\": \"git status\"}"))
                .isEqualTo("allow channel-policy");
        assertThat(verdict("bash__exec", "--channel", "ci", "--args", "{}"))
                .isEqualTo("require-approval default-policy");
        explain("bash__exec", "--channel", "ci", "--args", "{}", "--json");
        assertThat(out.toString()).contains("undecided: nothing is at /command");
    }

    @Test
    void withoutArgumentsTheCatalogIsExplained() {
        assertThat(verdict("bash__exec", "--channel", "ci")).isEqualTo("allow channel-policy");
        assertThat(err.toString()).contains("depends on its arguments", "--args");

        assertThat(explain("bash__exec", "--args", "[1]")).isEqualTo(2);
        assertThat(err.toString()).contains("--args must be a JSON object", "[1]");
        assertThat(explain("bash__exec", "--args", "{")).isEqualTo(2);
        assertThat(err.toString()).contains("--args is no JSON");
    }

    @Test
    void jsonHoldsEveryStage() {
        explain("bash__exec", "--json");

        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("stages").size()).isEqualTo(9);
        assertThat(json.at("/stages/8/rule").asString()).isEqualTo("shipped/ToolGroup/system");
        assertThat(json.path("policyDigest").asString()).startsWith("sha256:");
    }

    @Test
    void aToolThatDoesNotExistEndsWith2AndTheOnesThatDo() {
        assertThat(explain("bash__exce")).isEqualTo(2);
        assertThat(err.toString()).contains("bash__exce").contains("bash__exec");
    }

    @Test
    void aToolThatTheAgentDoesNotListIsExplainedWithANote() {
        assertThat(explain("file-system__read")).isZero();
        assertThat(err.toString()).contains("the agent coder does not list this tool");
    }

    private String verdict(String... arguments) {
        out.getBuffer().setLength(0);
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--json";
        explain(all);
        JsonNode json = Json.MAPPER.readTree(out.toString());
        return json.path("verdict").asString() + " " + json.path("stage").asString();
    }

    private int explain(String... arguments) {
        List<String> line = new ArrayList<>(List.of("policy", "explain", "--bundle", folder.toString()));
        line.addAll(List.of(arguments));
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false, 160);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()), line.toArray(String[]::new));
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }
}
