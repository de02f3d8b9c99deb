package dev.toolfleet.policy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.OperatorSwitch;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/// Bundles that tests write as YAML, and questions about them.
final class Fleet {
    /// Some tools, and an agent called coder.
    static final String TOOLS = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: market}
            spec:
              entry: java:acme.Market
              exports:
                - {name: quote, group: finance}
                - {name: sell, group: finance, isTransactional: true}
                - {name: account, group: finance, requiresApproval: true, accessesSensitiveData: true}
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: box}
            spec:
              entry: java:acme.Box
              exports:
                - {name: plain, annotations: {readOnly: true}}
                - {name: remove, group: system, annotations: {destructive: true}}
                - {name: get_stock_price, group: finance}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec: {tools: [Tool/market, Tool/box]}
            """;
    static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    static final PolicyCaller CODER = new PolicyCaller("u1", "c1", "coder");

    private final ResourceTable table = new ResourceTable();
    private final Map<String, Policy> compiled = new LinkedHashMap<>();

    /// The bundle acme with the tools and these documents.
    static Fleet acme(String... documents) {
        return new Fleet().bundle("acme", TOOLS + "---\n" + String.join("\n---\n", documents));
    }

    /// The bundle acme with the tools and one policy of these rules, each in flow style.
    static Fleet rules(String... rules) {
        return acme(policy("p", rules));
    }

    static String policy(String name, String... rules) {
        return policyOf(name, rules.length == 0 ? "rules: []" : "rules:\n  - " + String.join("\n  - ", rules));
    }

    static String policyOf(String name, String spec) {
        return "apiVersion: toolfleet.dev/v1\nkind: ToolPolicy\nmetadata: {name: " + name + "}\nspec:\n"
                + spec.indent(2);
    }

    static String group(String name, String spec) {
        return "apiVersion: toolfleet.dev/v1\nkind: ToolGroup\nmetadata: {name: " + name + "}\nspec: " + spec;
    }

    Fleet bundle(String name, String yaml) {
        LoadResult loaded = BundleLoader.parse(Path.of("no-such-folder"), new LinkedHashMap<>(Map.of("a.yaml", yaml)));
        assertThat(loaded.problems()).isEmpty();
        List<RevisionPlan.Declared> declared = loaded.bundle().resources().stream()
                .map(resource -> new RevisionPlan.Declared(resource.document(), Map.of())).toList();
        return apply(RevisionPlan.of(name, declared, table));
    }

    /// Switches tools off until an hour from now.
    Fleet deny(String pattern) {
        return deny(pattern, NOW.plusSeconds(3600));
    }

    Fleet deny(String pattern, Instant until) {
        return apply(OperatorSwitch.deny(
                OperatorDenial.of(pattern, "Under attack.", "ada", NOW.minusSeconds(60), until), table, NOW));
    }

    Fleet lift(String pattern) {
        return apply(OperatorSwitch.lift(List.of(pattern), table, NOW));
    }

    private Fleet apply(RevisionPlan plan) {
        plan.entries().forEach(entry -> table.apply(entry.key(), entry.value()));
        compiled.clear();
        return this;
    }

    FleetResources resources() {
        return table.view();
    }

    Policy policy() {
        return compiled.computeIfAbsent("", any -> Policy.compile(resources()));
    }

    PolicyTool tool(String bundle, String fullName) {
        ToolName name = ToolName.parse(fullName).orElseThrow();
        DeclaredTool tool = resources().tool(new ToolRef(bundle, name.resource(), name.export())).orElseThrow();
        return PolicyTool.of(tool, tool.export(name.export()).orElseThrow(), fullName);
    }

    PolicyDecision decide(String tool) {
        return decide(tool, CODER);
    }

    /// Decides a call of the coder, with these arguments as JSON.
    PolicyDecision call(String tool, String arguments) {
        return policy().decide(new PolicyQuery(tool("acme", tool), CODER, Json.MAPPER.readTree(arguments)), NOW);
    }

    PolicyDecision decide(String tool, PolicyCaller caller) {
        return policy().decide(PolicyQuery.ofStep(tool("acme", tool), caller), NOW);
    }

    PolicyDecision decide(String tool, Instant now) {
        return policy().decide(PolicyQuery.ofStep(tool("acme", tool), CODER), now);
    }

    PolicyDecision decide(PolicyTool tool, PolicyCaller caller) {
        return policy().decide(PolicyQuery.ofStep(tool, caller), NOW);
    }

    /// Returns only the verdict, as rules write it.
    String verdict(String tool) {
        return verdict(tool, CODER);
    }

    String verdict(String tool, PolicyCaller caller) {
        return text(decide(tool, caller));
    }

    static String text(PolicyDecision decision) {
        return switch (decision.verdict()) {
            case PolicyVerdict.Allowed allowed -> "allow";
            case PolicyVerdict.ApprovalRequired asked -> "require-approval";
            case PolicyVerdict.Denied denied -> "deny";
        };
    }

    static PolicyCaller caller(@Nullable String user, @Nullable String channel) {
        return new PolicyCaller(user, channel, "coder");
    }
}
