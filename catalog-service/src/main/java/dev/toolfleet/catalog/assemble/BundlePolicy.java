package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.StepTools;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The policy that the bundles declare, compiled when they change.
public final class BundlePolicy implements StepPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(BundlePolicy.class);

    private record Compiled(Map<String, BundleResources> bundles, Policy policy) {}

    private volatile Compiled compiled = new Compiled(Map.of(), Policy.compile(FleetResources.EMPTY));

    @Override
    public Permitted permit(FleetResources resources, StepStarted step, Set<String> labels,
            List<ToolCatalogItem> items, Instant now) {
        PolicyCaller caller = new PolicyCaller(step.userId(), step.channelId(), step.agentName());
        StepTools tools = StepTools.of(policy(resources), resources, caller, labels, items, now);
        return new Permitted(tools.items(), tools.policyDigest().orElse(null));
    }

    /// Returns the compiled policy. Two threads may compile the same policy at the same time; that only costs time.
    private Policy policy(FleetResources resources) {
        Compiled now = compiled;
        if (now.bundles().equals(resources.bundles()))
            return now.policy();
        resources.bundles().values().forEach(BundlePolicy::warn);
        Policy policy = Policy.compile(resources);
        compiled = new Compiled(resources.bundles(), policy);
        return policy;
    }

    private static void warn(BundleResources bundle) {
        for (String problem : bundle.problems()) {
            if (problem.startsWith(Kinds.TOOL_POLICY + "/") || problem.startsWith(Kinds.TOOL_GROUP + "/")
                    || problem.startsWith(OperatorDenial.KIND + "/"))
                LOG.atWarn().addKeyValue(CatalogLogKeys.BUNDLE, bundle.name())
                        .addKeyValue(CatalogLogKeys.REASON, problem)
                        .log("policy unreadable: it denies every call that it could apply to");
        }
    }
}
