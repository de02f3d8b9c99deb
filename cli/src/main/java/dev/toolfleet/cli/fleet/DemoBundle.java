package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;

/// A bundle with one agent over the built-in tools, for a fleet that was given none.
public final class DemoBundle {
    private static final String YAML = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata:
              name: "@toolfleet/demo"
            spec:
              version: 0.1.0
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata:
              name: coder
            spec:
              tools:
                - ref: {kind: Tool, name: bash, package: "@toolfleet/base"}
                - ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}
            """;

    /// The tool of the demo's MCP server.
    public static final String MCP_TOOL = "calendar__when";

    /// MCP server of revision 2025-11-25 with one tool, for machines that have no other.
    private static final String MCP_SERVER = """
            say() { printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"; }
            while read -r line; do
              id=${line#*\\"id\\":}; id=${id%%[,\\}]*}
              case $line in
              *'"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"calendar","version":"1"}}' ;;
              *'"tools/list"'*) say '"result":{"tools":[{"name":"when","description":"Returns the day of an event.","inputSchema":{"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}}]}' ;;
              *'"tools/call"'*) say '"result":{"content":[{"type":"text","text":"The release is on Friday."}]}' ;;
              *'"id":'*) say '"error":{"code":-32601,"message":"There is no such method."}' ;;
              esac
            done
            """;

    private DemoBundle() {}

    /// Writes it into a folder and reads it.
    public static LocalBundle in(Path folder) {
        return in(folder, YAML);
    }

    /// The same with the Tool of examples/build-farm, whose code is in this jar, and an MCP server, for a fleet with a
    /// broker there.
    ///
    /// @param broker `host:port`
    public static LocalBundle withBuilds(Path folder, String broker) {
        return in(folder, YAML + """
                - ref: Tool/build
                - ref: {kind: Tool, name: agents, package: "@toolfleet/base"}
              extensions: [Extension/mcp]
            ---
            apiVersion: goondan.ai/v1
            kind: Extension
            metadata:
              name: mcp
            spec:
              entry: builtin:mcp
              config:
                servers:
                  calendar:
                    command: sh
                    args:
                      - -c
                      - |
            %s
                    tools:
                      when: {readOnly: true}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata:
              name: reviewer
            spec: {}
            ---
            apiVersion: goondan.ai/v1
            kind: Swarm
            metadata:
              name: demo
            spec:
              entryAgent: Agent/coder
              agents:
                - ref: Agent/coder
                - ref: Agent/reviewer
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata:
              name: demo
            spec:
              rules:
                - id: its-work
                  tool: ["bash__*", "file-system__read", "file-system__write", "build__*", "calendar__*"]
                  verdict: allow
                  reason: What the agent is there for.
                - id: a-person-agrees
                  tool: file-system__mkdir
                  verdict: require-approval
                  reason: A person agrees before there is a release.
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata:
              name: build
            spec:
              entry: java:dev.toolfleet.example.buildfarm.Builds
              config:
                bootstrapServers: "%s"
              exports:
                - name: start
                  description: Starts a build. Answers at once that it has begun; the result comes when it ends.
                  parameters:
                    type: object
                    properties: {branch: {type: string}}
                    required: [branch]
                    additionalProperties: false
                  annotations: {idempotent: false}
                  async: {timeout: 5m, heartbeatTimeout: 1m}
            """.formatted(MCP_SERVER.indent(14).stripTrailing(), broker));
    }

    private static LocalBundle in(Path folder, String yaml) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("toolfleet.yaml"), yaml);
        } catch (IOException e) {
            throw Failure.failed("the folder " + folder + " cannot be written: " + e.getMessage(), e);
        }
        return LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
    }
}
