package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.cli.bundle.BundleCheck;
import dev.toolfleet.cli.bundle.LocalBundle;
import dev.toolfleet.cli.terminal.Failure;

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

    private DemoBundle() {}

    /// Writes it into a folder and reads it.
    public static LocalBundle in(Path folder) {
        return in(folder, YAML);
    }

    /// The same with the Tool of examples/build-farm, whose code is in this jar, for a fleet with a broker there.
    ///
    /// @param broker `host:port`
    public static LocalBundle withBuilds(Path folder, String broker) {
        return in(folder, YAML + """
                - ref: Tool/build
                - ref: {kind: Tool, name: agents, package: "@toolfleet/base"}
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
                  tool: ["bash__*", "file-system__read", "file-system__write", "build__*"]
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
            """.formatted(broker));
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
