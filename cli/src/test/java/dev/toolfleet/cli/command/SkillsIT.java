package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// A skill from its folder through worker and catalog service to what the next steps may call.
class SkillsIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/bash, Tool/file-system]
              extensions: [Extension/skills]
            """;
    private static final String TIDY = """
            ---
            name: tidy
            description: Finds files that can go.
            version: "1.2.0"
            tools: [file-system__list]
            ---
            List the folder, then name the files that no other file uses.
            """;
    private static final String LOCKED = """
            ---
            name: locked
            description: Needs a key.
            requires: {env: [TOOLFLEET_TEST_VARIABLE_THAT_IS_NOT_SET]}
            ---
            Use the key.
            """;
    private static final List<String> SCRIPT = List.of(call("before", 1, "file-system__list", ""),
            call("list", 1, "skills__list", ""), call("open", 1, "skills__open", "'name':'tidy'"),
            call("locked", 1, "skills__open", "'name':'locked'"), call("same-step", 1, "file-system__list", ""),
            // A step with a call that is refused anyway gives the catalog service time for the result.
            call("between", 2, "no__tool", ""), call("after", 3, "file-system__list", ""),
            call("other", 3, "bash__exec", "'command':'true'"));

    private final StringWriter err = new StringWriter();
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aModelOpensASkillAndMayCallItsToolsFromItsNextStepsOn() throws IOException {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE);
        Files.writeString(Files.createDirectories(bundle.resolve("skills/tidy")).resolve("SKILL.md"), TIDY);
        Files.writeString(Files.createDirectories(bundle.resolve("skills/locked")).resolve("SKILL.md"), LOCKED);
        Path script = Files.writeString(folder.resolve("calls.jsonl"),
                String.join("\n", SCRIPT).replace('\'', '"'));
        Path results = folder.resolve("results.jsonl");

        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false, 100);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()),
                new String[]{"run", "--bundle", bundle.toString(), "--calls", script.toString(), "--results",
                        results.toString(), "--workspace", folder.resolve("workspace").toString()});
        terminal.err().flush();

        assertThat(code).as(err.toString()).isZero();
        Map<String, ToolResult> ends = Files.readAllLines(results).stream()
                .map(line -> Json.MAPPER.readValue(line, ToolResult.class))
                .collect(Collectors.toMap(ToolResult::toolCallId, Function.identity()));
        assertThat(output(ends, "list").path("skills").values()).extracting(skill -> skill.path("name").asString())
                .containsExactly("locked", "tidy");
        assertThat(output(ends, "open").path("body").asString()).startsWith("List the folder");
        assertThat(requireNonNull(requireNonNull(ends.get("locked")).error()).message())
                .contains("TOOLFLEET_TEST_VARIABLE_THAT_IS_NOT_SET");
        assertThat(ends).extractingByKeys("before", "same-step").extracting(ToolResult::status)
                .containsOnly(ResultStatus.ERROR);
        assertThat(ends).extractingByKeys("after", "other").extracting(ToolResult::status)
                .containsOnly(ResultStatus.OK);
    }

    private static JsonNode output(Map<String, ToolResult> ends, String id) {
        ToolResult result = requireNonNull(ends.get(id));
        assertThat(result.status()).as("%s", result.error()).isEqualTo(ResultStatus.OK);
        return requireNonNull(result.output());
    }

    private static String call(String id, int step, String tool, String args) {
        return "{'id':'" + id + "','name':'" + tool + "','args':{" + args + "},'stepId':'s" + step + "'}";
    }
}
