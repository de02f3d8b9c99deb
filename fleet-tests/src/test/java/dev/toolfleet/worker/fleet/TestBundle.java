package dev.toolfleet.worker.fleet;

/// The bundle of the integration tests.
final class TestBundle {
    static final String YAML = """
            apiVersion: toolfleet.dev/v1
            kind: Tool
            metadata: {name: t}
            spec:
              entry: java:dev.toolfleet.worker.fleet.TestTools
              errorMessageLimit: 200
              exports:
                - {name: echo, description: echoes, annotations: {idempotent: true},
                   parameters: {type: object, properties: {n: {type: integer}}, required: [n], additionalProperties: false}}
                - {name: write, description: writes}
                - {name: read, description: reads, annotations: {readOnly: true}}
                - {name: held, description: waits, timeout: 5m}
                - {name: fail, description: fails}
                - {name: late, description: comes too late, timeout: 5s}
                - {name: stubborn, description: ignores its interrupt, timeout: 2m}
                - {name: pend, description: starts, async: {timeout: 24h}}
                - {name: odd, description: looks around, annotations: {readOnly: true}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: Tool
            metadata: {name: sure}
            spec:
              entry: java:dev.toolfleet.worker.fleet.TestTools
              exports:
                - {name: echo, description: echoes, validateOutput: true,
                   outputSchema: {type: object, properties: {n: {type: integer, maximum: 9}}, required: [n]}}
                - {name: pend, description: starts, async: {timeout: 24h}, validateOutput: true,
                   outputSchema: {type: string, enum: [built, broken]}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: Tool
            metadata: {name: effects}
            spec:
              entry: java:dev.toolfleet.worker.fleet.EffectTools
              exports:
                - {name: append, description: appends}
                - {name: halt, description: kills the worker, annotations: {readOnly: true}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: Tool
            metadata: {name: bash}
            spec:
              entry: builtin:bash
              exports:
                - {name: exec, description: runs a command}
            ---
            apiVersion: toolfleet.dev/v1
            kind: Tool
            metadata: {name: self-restart}
            spec:
              entry: builtin:self-restart
              exports:
                - {name: request, description: restarts the worker}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools:
                - ref: Tool/t
                - ref: Tool/sure
                - ref: Tool/effects
                - ref: Tool/bash
                - ref: Tool/self-restart
            """;

    private TestBundle() {}
}
