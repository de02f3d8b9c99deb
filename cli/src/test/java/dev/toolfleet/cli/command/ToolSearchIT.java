package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// A search by a model, from its call through worker and catalog service to what the next steps may call.
class ToolSearchIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/bash, Tool/file-system, Tool/tool-search]
              extensions:
                - ref: Extension/tool-search
                - ref: Extension/tool-filter
                  config: {exclude: {tools: ["*__mkdir"]}}
                - ref: {kind: Extension, name: context-message, package: "@goondan/base"}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolGroup
            metadata: {name: data}
            spec: {includeInPromptWhen: on-demand}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: open}
            spec:
              rules: [{tool: "*", verdict: allow, reason: Nobody is asked here.}]
            """;
    /// After each search one step with a call that is refused anyway.
    private static final List<String> SCRIPT = List.of(call("before", 1, "file-system__list"),
            "{'id':'search','name':'tool-search__search','args':{'query':'list files'},'stepId':'s1'}",
            call("between", 2, "no__tool"), call("found", 3, "file-system__list"),
            call("others", 3, "file-system__write"), call("always", 3, "bash__exec"),
            "{'id':'wider','name':'tool-search__search','args':{'query':'directory'},'stepId':'s3'}",
            call("between2", 4, "no__tool"), call("again", 5, "file-system__list"),
            call("excluded", 5, "file-system__mkdir"), call("shell", 5, "bash__exec"));

    private final StringWriter err = new StringWriter();
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aModelFindsAToolAndMayCallItFromItsNextStepsOn() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("bundle")).resolve("toolfleet.yaml"), BUNDLE);
        Path script = Files.writeString(folder.resolve("calls.jsonl"),
                String.join("\n", SCRIPT).replace('\'', '"'));
        Path results = folder.resolve("results.jsonl");

        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false, 100);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()),
                new String[]{"run", "--bundle", folder.resolve("bundle").toString(), "--calls", script.toString(),
                        "--results", results.toString(), "--workspace", folder.resolve("workspace").toString()});
        terminal.err().flush();

        assertThat(code).as(err.toString()).isZero();
        Map<String, ResultStatus> ends = Files.readAllLines(results).stream()
                .map(line -> Json.MAPPER.readValue(line, ToolResult.class))
                .collect(Collectors.toMap(ToolResult::toolCallId, ToolResult::status));
        assertThat(ends).containsAllEntriesOf(Map.of("search", ResultStatus.OK, "found", ResultStatus.OK, "wider",
                ResultStatus.OK, "again", ResultStatus.OK, "shell", ResultStatus.OK));
        assertThat(ends).containsAllEntriesOf(Map.of("before", ResultStatus.ERROR, "others", ResultStatus.ERROR,
                "always", ResultStatus.ERROR, "excluded", ResultStatus.ERROR));
    }

    private static String call(String id, int step, String tool) {
        String args = switch (tool) {
            case "bash__exec" -> "'command':'true'";
            case "file-system__write" -> "'path':'a','content':''";
            case "file-system__mkdir" -> "'path':'a'";
            default -> "";
        };
        return "{'id':'" + id + "','name':'" + tool + "','args':{" + args + "},'stepId':'s" + step + "'}";
    }
}
