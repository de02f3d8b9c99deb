package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.RuleScope;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.ToolPolicySpec.Trust;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns a bundle's resources into rules and into the text for the policy's digest.
final class PolicySource {
    /// Part of the digest: the same rules with another meaning are another policy.
    private static final String ENGINE = "toolfleet.policy/1";

    private PolicySource() {}

    static List<CompiledRule> rules(BundleResources bundle) {
        List<CompiledRule> rules = new ArrayList<>();
        for (ResourceRecord record : bundle.ofKind(Kinds.TOOL_POLICY)) {
            String name = name(record.resource());
            ToolPolicySpec policy = bundle.policies().get(name);
            if (policy == null)
                rules.add(unreadable(bundle.name(), name, record.resource()));
            else
                rules.addAll(rules(bundle.name(), policy));
        }
        switched(bundle).forEach(record -> rules.add(switchedOff(bundle, record)));
        return rules;
    }

    private static List<CompiledRule> rules(String bundle, ToolPolicySpec policy) {
        List<CompiledRule> rules = new ArrayList<>();
        policy.rules().forEach(rule -> rules.add(CompiledRule.of(bundle, policy.name(), policy.reach(), rule)));
        if (policy.trust() == Trust.GUARDED)
            rules.add(CompiledRule.guarded(bundle, policy.name(), policy.reach()));
        return rules;
    }

    /// True if the bundle contributes to the digest.
    static boolean speaks(BundleResources bundle) {
        return bundle.declaresPolicy() || !switched(bundle).isEmpty();
    }

    private static List<ResourceRecord> switched(BundleResources bundle) {
        return bundle.name().equals(OperatorDenial.BUNDLE) ? bundle.ofKind(OperatorDenial.KIND) : List.of();
    }

    private static CompiledRule switchedOff(BundleResources bundle, ResourceRecord record) {
        String name = name(record.resource());
        OperatorDenial denial = bundle.denials().get(name);
        if (denial == null)
            return CompiledRule.ofOperator(name, RuleSelector.ofTools(Glob.ANY),
                    "An operator has switched off something, as " + name
                            + ", that cannot be read here, so everything is denied; update this process, or lift it.",
                    null);
        String reason = "Switched off until " + denial.until() + " by " + denial.by()
                + (denial.reason().isEmpty() ? "." : ": " + denial.reason());
        return CompiledRule.ofOperator(name, denial.selector(), reason, denial.until());
    }

    /// Makes a denial of everything: one of the unreadable rules may have been a denial.
    private static CompiledRule unreadable(String bundle, String policy, ObjectNode resource) {
        boolean fleet = resource.path("spec").path("reach").asString("").equals("fleet");
        return CompiledRule.of(bundle, policy, fleet ? Reach.FLEET : Reach.BUNDLE, new PolicyRule("unreadable",
                RuleSelector.ofTools(Glob.ANY), RuleScope.ALL, Verdict.DENY,
                "ToolPolicy " + policy + " of bundle " + bundle
                        + " cannot be read here, so everything in its reach is denied; validate it and apply it again.",
                0));
    }

    static String digest(FleetResources resources) {
        ObjectNode policy = Json.MAPPER.createObjectNode().put("engine", ENGINE);
        for (BundleResources bundle : resources.bundles().values()) {
            if (speaks(bundle))
                write(bundle, policy.putObject(bundle.name()));
        }
        return Digests.sha256(CanonicalJson.of(policy));
    }

    private static void write(BundleResources bundle, ObjectNode out) {
        for (ResourceRecord record : bundle.ofKind(Kinds.TOOL_POLICY)) {
            String name = name(record.resource());
            ObjectNode written = out.putObject("ToolPolicy/" + name);
            Optional.ofNullable(bundle.policies().get(name)).ifPresentOrElse(policy -> write(policy, written),
                    () -> written.set("unreadable", record.resource()));
        }
        for (ResourceRecord record : bundle.ofKind(Kinds.TOOL_GROUP)) {
            String name = name(record.resource());
            ObjectNode written = out.putObject("ToolGroup/" + name);
            Optional<ToolGroupSpec> group = Optional.ofNullable(bundle.groups().get(name));
            group.flatMap(ToolGroupSpec::defaultPolicy)
                    .ifPresent(verdict -> written.put("defaultPolicy", verdict.text()));
            if (group.isEmpty())
                written.set("unreadable", record.resource());
        }
        switched(bundle).forEach(record -> out.set(OperatorDenial.KIND + "/" + name(record.resource()),
                record.resource().path("spec")));
    }

    private static void write(ToolPolicySpec policy, ObjectNode out) {
        out.put("reach", policy.reach().name());
        if (policy.trust() == Trust.GUARDED)
            out.put("trust", policy.trust().name());
        policy.defaultVerdict().ifPresent(verdict -> out.put("defaultVerdict", verdict.text()));
        ArrayNode rules = out.putArray("rules");
        policy.rules().stream()
                .map(rule -> Json.MAPPER.createObjectNode().put("id", rule.id()).put("says", rule.text())
                        .put("priority", rule.priority()).put("reason", rule.reason()))
                .sorted((one, other) -> CanonicalJson.of(one).compareTo(CanonicalJson.of(other))).forEach(rules::add);
    }

    static String name(ObjectNode resource) {
        return resource.path("metadata").path("name").asString("");
    }
}
