package dev.toolfleet.cli.mcp;

import java.util.List;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class YamlEditTest {
    private static final String BEFORE = """
            # First comment.
            apiVersion: goondan.ai/v1
            kind: Extension
            metadata:
              name: mcp
            spec:
              entry: builtin:mcp   # behind a value
              config:
                servers:
                  files:
                    command: node
                    args:
                    - a
                    - b
                    # Inside the server.

                  notes:
                    command: sh
                    env:
                      TEXT: |
                        # not a comment
                        line

            # Between documents.
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: clerk}
            spec: {extensions: [Extension/mcp]}
            """;

    private static String put(String text, ObjectNode value, String... path) {
        return YamlEdit.of("toolfleet.yaml", text, "Extension", "mcp").put(List.of(path), value);
    }

    private static ObjectNode json(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }

    @Test
    void aNewEntryStandsBehindTheLastOne() {
        String after = put(BEFORE, json("{'url': 'https://x.example.com/mcp', 'on': true}".replace('\'', '"')), "spec",
                "config", "servers", "web");

        assertThat(after).isEqualTo(BEFORE.replace("""
                            line

                # Between""", """
                            line
                      web:
                        url: https://x.example.com/mcp
                        "on": true

                # Between"""));
    }

    @Test
    void anEntryWithAListAtItsOwnColumnIsReplacedWhole() {
        String after = put(BEFORE, json("{\"command\": \"deno\"}"), "spec", "config", "servers", "files");

        assertThat(after).isEqualTo(BEFORE.replace("""
                        command: node
                        args:
                        - a
                        - b
                        # Inside the server.
                """, """
                        command: deno
                """));
    }

    @Test
    void aValueInsideAnEntryIsAdded() {
        assertThat(put(BEFORE, json("{\"a.b\": \"sha256:12\"}"), "spec", "config", "servers", "files", "pins"))
                .contains("        - b\n        pins:\n          a.b: sha256:12\n        # Inside the server.\n");
    }

    @Test
    void theLastEntryLeavesAnEmptyMapping() {
        String one = YamlEdit.of("f", BEFORE, "Extension", "mcp").remove(List.of("spec", "config", "servers", "notes"));
        String none = YamlEdit.of("f", one, "Extension", "mcp").remove(List.of("spec", "config", "servers", "files"));

        assertThat(none).contains("  config:\n    servers: {}\n").contains("# Between documents.");
        assertThat(put(none, json("{\"command\": \"x\"}"), "spec", "config", "servers", "x"))
                .contains("    servers:\n      x:\n        command: x\n");
    }

    @Test
    void mappingsThatAreMissingAreMade() {
        String bare = """
                kind: Extension
                apiVersion: goondan.ai/v1
                metadata: {name: mcp}
                spec:
                  entry: builtin:mcp""";

        assertThat(put(bare, json("{\"command\": \"true\"}"), "spec", "config", "servers", "x")).isEqualTo(bare
                + "\n  config:\n    servers:\n      x:\n        command: \"true\"");
    }

    @Test
    void aMappingInBracesIsRefusedWithItsLine() {
        String braces = """
                kind: Extension
                apiVersion: goondan.ai/v1
                metadata: {name: mcp}
                spec: {entry: "builtin:mcp", config: {servers: {a: {command: x}}}}
                """;

        assertThatThrownBy(() -> put(braces, json("{\"command\": \"y\"}"), "spec", "config", "servers", "b"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("toolfleet.yaml:4: this mapping is written in braces");
    }

    @Test
    void aChangeThatReachesOtherValuesIsRefused() {
        String shared = """
                kind: Extension
                apiVersion: goondan.ai/v1
                metadata: {name: mcp}
                spec:
                  config:
                    servers:
                      a: &a
                        command: x
                      b: *a
                """;

        assertThatThrownBy(() -> put(shared, json("{\"k\": \"v\"}"), "spec", "config", "servers", "a", "pins"))
                .isInstanceOf(Failure.class).hasMessageContaining("change it in an editor");
    }
}
