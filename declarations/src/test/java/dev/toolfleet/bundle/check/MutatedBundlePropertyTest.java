package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Random;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.SwarmSpec;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolSpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/// A bundle with any mutation of its text is read or rejected, never fatal; and an accepted one is usable.
class MutatedBundlePropertyTest {
    /// The targets of references in the mutated texts, so that a harmless edit leaves a valid bundle.
    private static final String REST = resource("Agent", "lead")
            + resource("Agent", "coder");
    private static final List<String> TEXTS = List.of(GoondanBundle.MAIN, GoondanBundle.TOOLS, GoondanBundle.REST,
            agentOfTheFleet(), toolOfTheFleet(), policyOfTheFleet());
    private static final String PIECES = ":-[]{}#&*!|>'\"%@`,?~<\\/ \n\t\u0000\uFEFF\uD83D0x__null";

    @Property(tries = 2000, seed = "7")
    void aMutatedBundleNeverThrows(@ForAll Random random, @ForAll @IntRange(min = 1, max = 5) int edits) {
        StringBuilder text = new StringBuilder(TEXTS.get(random.nextInt(TEXTS.size())));
        for (int i = 0; i < edits; i++) {
            mutate(text, random);
        }

        assertThatCode(() -> readAll(text.toString())).as("%s", text).doesNotThrowAnyException();
    }

    private static void readAll(String text) {
        Checked.files("not-named-like-ours.yaml", text);
        BundleReport report = Checked.files("goondan.yaml", text, "agents.yaml", REST);
        assertThat(report.problems()).allMatch(problem -> !ProblemText.of(problem).isBlank());
        if (report.valid()) {
            report.bundle().resources().forEach(MutatedBundlePropertyTest::view);
        }
    }

    private static void view(Resource resource) {
        switch (resource.kind()) {
            case "Tool" ->
                ToolSpec.of(resource.document()).exports().forEach(ToolSpec.of(resource.document())::fullName);
            case "Agent" -> AgentSpec.of(resource.document());
            case "Swarm" -> SwarmSpec.of(resource.document());
            case "Extension" -> ExtensionSpec.of(resource.document());
            case "ToolGroup" -> ToolGroupSpec.of(resource.document());
            case "ToolPolicy" -> ToolPolicySpec.of(resource.document());
            default -> {
                // It has no typed view.
            }
        }
    }

    private static String policyOfTheFleet() {
        return """
                apiVersion: toolfleet.dev/v1
                kind: ToolPolicy
                metadata: {name: production}
                spec:
                  reach: bundle
                  defaultVerdict: require-approval
                  rules:
                    - id: night
                      tool: ["bash__*", "file-system__write"]
                      group: system
                      source: [config, mcp]
                      flag: destructive
                      verdict: deny
                      reason: Not at night.
                      priority: 7
                      scope:
                        userId: [u1, u2]
                        channelId: c1
                        agentName: coder
                    - {tool: "*", verdict: allow}
                ---
                apiVersion: toolfleet.dev/v1
                kind: ToolGroup
                metadata: {name: ci}
                spec:
                  displayName: Builds
                  defaultPolicy: deny
                  includeInPromptWhen: on-demand
                """;
    }

    private static void mutate(StringBuilder text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(20));
        switch (random.nextInt(4)) {
            case 0 -> text.delete(at, end);
            case 1 -> text.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
            case 2 -> text.insert(at, text.substring(at, end));
            default -> replaceValue(text, text.indexOf(": ", at), random);
        }
    }

    private static void replaceValue(StringBuilder text, int colon, Random random) {
        int end = colon < 0 ? -1 : text.indexOf("\n", colon);
        if (end > 0) {
            List<String> values = List.of("7", "[]", "{}", "~", "''", "[x]", "{x: 1}", "true", "1.5", "*x", "@x/y");
            text.replace(colon + 2, end, values.get(random.nextInt(values.size())));
        }
    }

    private static String resource(String kind, String name) {
        return "---\napiVersion: goondan.ai/v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: {}\n";
    }

    private static String agentOfTheFleet() {
        return """
                apiVersion: toolfleet.dev/v1
                kind: Agent
                metadata: {name: tester}
                spec:
                  tools:
                    - ref: Tool/bash
                    - ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}
                  extensions:
                    - ref: Extension/logging
                      config: {level: info}
                  requiredTools:
                    - bash__exec
                """;
    }

    private static String toolOfTheFleet() {
        return """
                apiVersion: toolfleet.dev/v1
                kind: Tool
                metadata: {name: builds}
                spec:
                  entry: java:com.acme.Builds
                  errorMessageLimit: 50
                  exports:
                    - name: start
                      description: Starts
                      parameters:
                        type: object
                        properties:
                          target: {type: string, pattern: "a+"}
                        additionalProperties: false
                      annotations:
                        idempotent: true
                      group: system
                      requiresApproval: false
                      timeout: 10m
                      retry:
                        maxAttempts: 3
                      limits:
                        maxConcurrent: 4
                      async:
                        timeout: PT5M
                        poll:
                          interval: 5s
                """;
    }
}
