package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.bench.effect.EffectHandlers;
import dev.toolfleet.bench.effect.EffectLayer;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;

/// The bundle of a run with crashes: a tool of each [Kind] once without and once with approval, a middleware, a policy,
/// and a guard that lets long answers pass.
///
/// @param handlers the language of the tools
/// @param labels whether the tools without approval add labels or send, and the policy is guarded
public record CrashBundle(EffectHandlers handlers, boolean labels) {
    void write(Path folder, String topic, Map<String, Object> client) throws IOException, InterruptedException {
        handlers.write(folder);
        BenchBundle.apply(yaml(), folder, topic, client);
    }

    private String yaml() {
        StringBuilder yaml = new StringBuilder("""
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: %1$s}
            spec:
              entry: "%2$s"
              exports:
            """.formatted(Kind.TOOL, handlers.entry()));
        for (Kind kind : Kind.values())
            yaml.append(export(kind.export(), kind, labels)).append(export(kind.askedExport(), kind, false));
        return yaml + """
            ---
            apiVersion: goondan.ai/v1
            kind: Extension
            metadata: {name: layer}
            spec: {entry: "java:%2$s"}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: approvals}
            spec:
              trust: %5$s
              rules:
                - {id: asked, tool: "%1$s__%3$s*", verdict: require-approval, reason: The run asks a person.}
                - {id: others, tool: "%1$s__*", verdict: allow}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ResultGuard
            metadata: {name: long}
            spec: {tool: "%1$s__*", maxContentLength: 2000000}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: %4$s}
            spec:
              tools: [{ref: Tool/%1$s}]
              extensions: [{ref: Extension/layer}]
            """.formatted(Kind.TOOL, EffectLayer.class.getName(), Kind.ASKED, PlannedCall.AGENT,
                labels ? "guarded" : "open");
    }

    private static String export(String name, Kind kind, boolean labels) {
        String annotations = switch (kind) {
            case READ_ONLY -> ", annotations: {readOnly: true}";
            case IDEMPOTENT -> ", annotations: {idempotent: true}";
            case ONCE -> "";
        };
        String flow = labels ? kind.adds().map(label -> ", adds: [" + label + "]").orElse(", sends: true") : "";
        return "    - {name: %s, description: A tool of the run., timeout: 60s%s%s}\n".formatted(name, annotations,
                flow);
    }
}
