package dev.toolfleet.cli.letter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// A tool that must not run twice, and counts how often it did, by the text that it is given.
public final class CountingTools implements ToolModule {
    static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: count}
            spec:
              entry: java:dev.toolfleet.cli.letter.CountingTools
              exports:
                - name: up
                  description: Counts.
                  parameters: {type: object, properties: {tag: {type: string}}}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/count]
            """;
    private static final Map<String, AtomicInteger> RUNS = new ConcurrentHashMap<>();

    static int runs(String tag) {
        return RUNS.getOrDefault(tag, new AtomicInteger()).get();
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("up", (ctx, input) -> ToolOutput.of(RUNS
                .computeIfAbsent(input.path("tag").asString(), tag -> new AtomicInteger()).incrementAndGet()));
    }
}
