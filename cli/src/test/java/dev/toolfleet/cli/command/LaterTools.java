package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.Map;

import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// Work that finishes later, under the handle that it is given, when somebody says so.
public final class LaterTools implements ToolModule {
    static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: later}
            spec:
              entry: java:dev.toolfleet.cli.command.LaterTools
              exports:
                - name: start
                  description: Begins work that finishes later.
                  parameters:
                    type: object
                    properties: {handle: {type: string}, token: {type: string}}
                  annotations: {readOnly: true}
                  async: {timeout: 1h}
                - name: sleep
                  description: Sleeps for a minute.
                  parameters: {type: object}
                  annotations: {readOnly: true}
                  timeout: 2m
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/later]
            """;

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("start", LaterTools::start, "sleep", (ctx, input) -> {
            Thread.sleep(Duration.ofMinutes(1));
            return ToolOutput.of("slept");
        });
    }

    private static ToolOutput start(ToolContext ctx, ObjectNode input) {
        ToolOutput.Pending pending = ToolOutput.pending(input.path("handle").asString(ctx.newHandle()),
                Map.of("message", "started"));
        return input.path("token").isString() ? pending.demanding(input.path("token").stringValue()) : pending;
    }
}
