package dev.toolfleet.cli.explain;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// Tools that hang until the test lets them go, by the tag in their arguments.
public final class HangingTools implements ToolModule {
    static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: h}
            spec:
              entry: java:dev.toolfleet.cli.explain.HangingTools
              exports:
                - name: slow
                  description: Hangs.
                  parameters: {type: object}
                  timeout: 2m
                - name: stubborn
                  description: Hangs, and ignores its interrupt.
                  parameters: {type: object}
                  timeout: 2m
                - name: quick
                  description: Ends at once.
                  parameters: {type: object}
                - name: asks
                  description: Ends at once, when a person approves.
                  parameters: {type: object}
                  requiresApproval: true
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: script}
            spec:
              entry: ./script.mjs
              exports:
                - name: slow
                  description: Hangs until it is cancelled.
                  parameters: {type: object}
                  timeout: 2m
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/h, Tool/script]
            """;

    static final String SCRIPT = """
            export const handlers = { slow: (ctx) => new Promise((resolve, reject) =>
              ctx.signal.addEventListener('abort', () => reject(new Error('cancelled')))) };
            """;

    private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();
    private static final Map<String, CountDownLatch> STARTED = new ConcurrentHashMap<>();

    static CountDownLatch gate(String tag) {
        return GATES.computeIfAbsent(tag, _ -> new CountDownLatch(1));
    }

    static CountDownLatch started(String tag) {
        return STARTED.computeIfAbsent(tag, _ -> new CountDownLatch(1));
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("slow", HangingTools::slow, "stubborn", HangingTools::stubborn, "quick",
                (ctx, input) -> ToolOutput.of("done"), "asks", (ctx, input) -> ToolOutput.of("asked"));
    }

    private static ToolOutput slow(ToolContext ctx, ObjectNode input) throws InterruptedException {
        String tag = input.path("tag").asString();
        started(tag).countDown();
        gate(tag).await();
        return ToolOutput.of("let go");
    }

    private static ToolOutput stubborn(ToolContext ctx, ObjectNode input) {
        String tag = input.path("tag").asString();
        started(tag).countDown();
        while (true) {
            try {
                gate(tag).await();
                return ToolOutput.of("too late");
            } catch (InterruptedException e) {
                // That is what it is for.
            }
        }
    }
}
