package dev.toolfleet.cli.backtest;

import java.time.Instant;

import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.resources.FleetResources;

/// Two states of a fleet, with their policies: the applied one, and the one with another bundle. Immutable; any thread
/// may use it.
///
/// @param bundle name of the other bundle
/// @param now the time that ends operators' denials
record PolicyPair(FleetResources before, Policy policyBefore, FleetResources after, Policy policyAfter, String bundle,
        Instant now) {
    static PolicyPair of(FleetResources before, FleetResources after, String bundle, Instant now) {
        FleetResources liveBefore = before.live(now);
        FleetResources liveAfter = after.live(now);
        return new PolicyPair(liveBefore, Policy.compile(liveBefore), liveAfter, Policy.compile(liveAfter), bundle,
                now);
    }

    /// True if a rule of either looks at labels of instances.
    boolean readLabels() {
        return policyBefore.readsLabels() || policyAfter.readsLabels();
    }

    /// Returns the caller without the ids that no rule of either policy names.
    PolicyCaller distinct(PolicyCaller caller) {
        PolicyCaller one = policyBefore.distinct(caller);
        PolicyCaller other = policyAfter.distinct(caller);
        return one.equals(other)
                ? one
                : new PolicyCaller(one.userId() == null ? other.userId() : one.userId(),
                        one.channelId() == null ? other.channelId() : one.channelId(), one.agentName());
    }
}
