package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import tools.jackson.databind.node.ObjectNode;

/// A ToolPolicy: rules for the calls of tools.
///
/// @param reach the calls to which its rules apply
/// @param trust what the policy does about models that have read hostile text
/// @param defaultVerdict the verdict without a matching rule; empty leaves it to other policies
public record ToolPolicySpec(String name, Reach reach, Trust trust, Optional<Verdict> defaultVerdict,
        List<PolicyRule> rules) {
    /// The fields of its `spec`.
    public static final Set<String> FIELDS = Set.of("reach", "trust", "defaultVerdict", "rules");

    /// Calls to which the rules of a bundle apply.
    public enum Reach {
        /// Calls by the bundle's agents, and calls of the bundle's Tools.
        BUNDLE,
        /// Every call of the fleet. Outside its bundle such a policy only restricts.
        FLEET
    }

    /// Treatment of models that have read hostile text.
    public enum Trust {
        /// Nothing beyond its rules.
        OPEN,
        /// A call that can carry data out requires approval once its instance has both read untrusted text and received
        /// sensitive data.
        GUARDED
    }

    /// Copies the rules.
    public ToolPolicySpec {
        rules = List.copyOf(rules);
    }

    /// True if it consists of shadow rules: such a policy changes nothing, and brings no group's default into force.
    public boolean isShadow() {
        return trust == Trust.OPEN && defaultVerdict.isEmpty() && !rules.isEmpty()
                && rules.stream().allMatch(PolicyRule::isShadow);
    }

    /// Reads a resource of kind `ToolPolicy`. Unknown fields are rejected. Otherwise: leaving one out opens a door.
    ///
    /// @throws InvalidResourceException when it is no ToolPolicy, or a field is unknown or has the wrong shape
    public static ToolPolicySpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.TOOL_POLICY);
        spec.known(FIELDS);
        return new ToolPolicySpec(ResourceJson.name(resource),
                spec.get("reach").choice(Reach.class).orElse(Reach.BUNDLE),
                spec.get("trust").choice(Trust.class).orElse(Trust.OPEN),
                spec.get("defaultVerdict").choice(Verdict.class), spec.get("rules").list(PolicyRule::of));
    }
}
