package dev.toolfleet.bench.backtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts of two bundles: the applied one, and one with other rules, which is guarded. Both have four agents with eight
/// tools each, and forty rules that allow and name users and tools. Each tool adds a label, and [#READER] both labels.
final class PastBundles {
    static final int TOOLS = 8;
    static final int AGENTS = 4;
    static final int USERS = 200;
    /// The tool whose results add both labels of a guarded bundle.
    static final int READER = 6;
    private static final int RULES = 40;

    private PastBundles() {}

    static String tool(int number) {
        return "desk__e" + number;
    }

    static String agent(int number) {
        return "agent-" + number;
    }

    static String user(int number) {
        return "user-" + number;
    }

    /// Writes the applied bundle.
    static Path applied(Path folder) throws IOException {
        return write(folder, "",
                "    - {id: small, tool: desk__e1, verdict: allow, when: {args: [{path: /amount, lessThan:"
                        + " 900}]}}\n");
    }

    /// Writes the other bundle.
    static Path other(Path folder) throws IOException {
        return write(folder, "  trust: guarded\n", """
                    - {id: large, tool: desk__e1, verdict: deny, when: {args: [{path: /amount, greaterThan: 899}]}}
                    - {id: two, tool: desk__e2, verdict: require-approval, scope: {userId: [user-2, user-10]}}
                    - {id: tiny, tool: desk__e3, verdict: deny, mode: shadow, when: {args: [{path: /amount, lessThan: 100}]}}
                    - {id: first, tool: desk__e5, verdict: deny, mode: shadow, scope: {agentName: agent-1}}
                """);
    }

    private static Path write(Path folder, String trust, String rules) throws IOException {
        Files.createDirectories(folder);
        StringBuilder yaml = new StringBuilder("""
                apiVersion: goondan.ai/v1
                kind: Package
                metadata: {name: bench}
                ---
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata: {name: desk}
                spec:
                  entry: java:dev.toolfleet.bench.Desk
                  exports:
                """);
        for (int tool = 0; tool < TOOLS; tool++)
            yaml.append("    - {name: e").append(tool).append(", description: Works., annotations: {openWorld: true}")
                    .append(tool == READER ? ", accessesSensitiveData: true}\n" : "}\n");
        for (int agent = 0; agent < AGENTS; agent++)
            yaml.append("---\napiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: ").append(agent(agent))
                    .append("}\nspec: {tools: [{ref: Tool/desk}]}\n");
        yaml.append("---\napiVersion: toolfleet.dev/v1\nkind: ToolPolicy\nmetadata: {name: p}\nspec:\n").append(trust)
                .append("  rules:\n");
        for (int rule = 0; rule < RULES; rule++)
            yaml.append("    - {id: r").append(rule).append(", tool: ").append(tool(rule % TOOLS))
                    .append(", verdict: allow, scope: {userId: ").append(user(rule)).append("}}\n");
        Files.writeString(folder.resolve("toolfleet.yaml"), yaml + rules);
        return folder;
    }
}
