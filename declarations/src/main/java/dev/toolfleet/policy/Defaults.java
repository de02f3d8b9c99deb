package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;
import org.jspecify.annotations.Nullable;

/// Last stage: the stricter of the export's flags and its group's default. Without both, the strictest `defaultVerdict`
/// of the bundles concerned; else the call is allowed. The `defaultVerdict` of a fleet-wide policy of another bundle
/// can only make that stricter. Policies of shadow rules alone bring no group's default into force.
final class Defaults {
    private static final Cause EXPORT = cause(Verdict.REQUIRE_APPROVAL, "default-policy/requiresApproval",
            "The tool's declaration requires approval of each call (requiresApproval).");
    private static final Cause ALLOW = cause(Verdict.ALLOW, "default-policy/allow", "No rule or default applies.");

    /// Defaults of a bundle.
    ///
    /// @param groups by name in lower case
    private record Said(String bundle, Map<String, Group> groups, List<ByPolicy> policies) {}

    /// A group that a bundle declares.
    ///
    /// @param cause null when it has no default
    private record Group(@Nullable Cause cause) {}

    private record ByPolicy(String bundle, boolean fleetWide, Cause cause) {}

    private final Map<String, Said> byBundle;
    private final List<ByPolicy> fleetWide;
    private final Map<String, Group> shipped = new HashMap<>();

    private Defaults(Map<String, Said> byBundle) {
        this.byBundle = byBundle;
        fleetWide = byBundle.values().stream().flatMap(said -> said.policies().stream())
                .filter(ByPolicy::fleetWide).toList();
        ToolGroupSpec.SHIPPED.values()
                .forEach(group -> shipped.put(RuleSelector.group(group.name()), group("shipped", group)));
    }

    static Defaults of(FleetResources resources) {
        Map<String, Said> byBundle = new TreeMap<>();
        resources.bundles().values().stream().filter(BundleResources::enforcesPolicy)
                .forEach(bundle -> byBundle.put(bundle.name(), said(bundle)));
        return new Defaults(byBundle);
    }

    Cause of(Facts facts) {
        List<Said> homes = homes(facts);
        Cause strictest = atHome(facts, homes);
        for (ByPolicy policy : fleetWide) {
            if (policy.cause().verdict() != Verdict.ALLOW && !facts.isHome(policy.bundle()))
                strictest = stricter(strictest, policy.cause());
        }
        return strictest;
    }

    private Cause atHome(Facts facts, List<Said> homes) {
        Cause byGroup = facts.group() == null ? null : byGroup(facts.group(), homes);
        if (facts.tool().flags().contains(ToolFlag.REQUIRES_APPROVAL))
            return byGroup == null ? EXPORT : stricter(EXPORT, byGroup);
        if (byGroup != null)
            return byGroup;
        Cause byPolicy = null;
        for (Said home : homes) {
            for (ByPolicy policy : home.policies())
                byPolicy = byPolicy == null ? policy.cause() : stricter(byPolicy, policy.cause());
        }
        return byPolicy == null ? ALLOW : byPolicy;
    }

    /// Returns the bundles concerned: the agent's first, then the Tool's; all of them when no bundle declares the
    /// agent. Only those with a policy or a group.
    private List<Said> homes(Facts facts) {
        String agent = facts.agentBundle();
        List<Said> homes = new ArrayList<>(2);
        if (agent != null)
            add(homes, byBundle.get(agent));
        if (!facts.tool().bundle().equals(agent))
            add(homes, byBundle.get(facts.tool().bundle()));
        if (agent == null)
            byBundle.values().stream().filter(said -> !homes.contains(said)).forEach(homes::add);
        return homes;
    }

    private @Nullable Cause byGroup(String group, List<Said> homes) {
        if (homes.isEmpty())
            return null;
        Group known = known(group, homes);
        if (known == null)
            known = known(ToolGroupSpec.CUSTOM, homes);
        return known == null ? null : known.cause();
    }

    private @Nullable Group known(String group, List<Said> homes) {
        for (Said home : homes) {
            Group declared = home.groups().get(group);
            if (declared != null)
                return declared;
        }
        return shipped.get(group);
    }

    private static Said said(BundleResources bundle) {
        Map<String, Group> groups = new HashMap<>();
        for (ResourceRecord record : bundle.ofKind(Kinds.TOOL_GROUP)) {
            String name = PolicySource.name(record.resource());
            ToolGroupSpec group = bundle.groups().get(name);
            groups.put(RuleSelector.group(name), group == null
                    ? new Group(cause(Verdict.DENY, bundle.name() + "/ToolGroup/" + name, "ToolGroup " + name
                            + " of bundle " + bundle.name() + " cannot be read here, so its tools are denied."))
                    : group(bundle.name(), group));
        }
        List<ByPolicy> policies = bundle.policies().values().stream()
                .flatMap(policy -> byPolicy(bundle.name(), policy)).toList();
        return new Said(bundle.name(), groups, policies);
    }

    private static Stream<ByPolicy> byPolicy(String bundle, ToolPolicySpec policy) {
        return policy.defaultVerdict().stream().map(verdict -> new ByPolicy(bundle, policy.reach() == Reach.FLEET,
                cause(verdict, bundle + "/" + policy.name() + "/defaultVerdict",
                        "The default verdict of ToolPolicy " + policy.name() + " is " + verdict.text() + ".")));
    }

    private static Group group(String bundle, ToolGroupSpec group) {
        return new Group(group.defaultPolicy().map(verdict -> cause(verdict, bundle + "/ToolGroup/" + group.name(),
                "The default of the tool's group, " + group.name() + ", is " + verdict.text() + ".")).orElse(null));
    }

    private static Cause cause(Verdict verdict, String rule, String reason) {
        return new Cause(Stage.DEFAULT_POLICY, verdict, rule, reason);
    }

    private static Cause stricter(Cause one, Cause other) {
        return Verdict.stricter(one.verdict(), other.verdict()) == one.verdict() ? one : other;
    }

    private static void add(List<Said> homes, @Nullable Said said) {
        if (said != null)
            homes.add(said);
    }
}
