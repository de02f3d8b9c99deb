package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.ChangesetTerms;
import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.SwarmSpec;
import dev.toolfleet.wire.ResourceRecord;

/// Permission of one agent to change its own bundle: no more than every Swarm that lists it, and the Agent itself, allow.
/// Without a Swarm that enables it, nothing.
///
/// @param enabled true if the agent is in a Swarm, and all of its Swarms enable changesets
/// @param terms those of the Swarms, then that of the Agent
/// @param event whether the agent gets `swarmBundle.revisionChanged`
public record ChangesetRules(boolean enabled, List<ChangesetTerms> terms, boolean event) {
    /// `entry` of the Tool that opens and commits changesets.
    public static final String ENTRY = "builtin:swarm-bundle";
    private static final ChangesetRules NONE = new ChangesetRules(false, List.of(), false);

    /// Copies the list.
    public ChangesetRules {
        terms = List.copyOf(terms);
    }

    /// The rules for an agent of a bundle. A Swarm that cannot be read enables nothing.
    public static ChangesetRules of(BundleResources bundle, String agent) {
        List<ChangesetTerms> terms = new ArrayList<>();
        for (ResourceRecord record : bundle.ofKind(Kinds.SWARM)) {
            try {
                SwarmSpec swarm = SwarmSpec.of(record.resource());
                if (lists(swarm, agent))
                    terms.add(swarm.changesets());
            } catch (InvalidResourceException e) {
                return NONE;
            }
        }
        AgentSpec spec = bundle.agent(agent).orElse(null);
        if (spec == null || terms.isEmpty() || !terms.stream().allMatch(ChangesetTerms::enabled))
            return NONE;
        boolean event = terms.stream().allMatch(ChangesetTerms::event);
        terms.add(spec.changesets());
        return new ChangesetRules(true, terms, event);
    }

    /// The rules for an agent, by its name; nothing is enabled for one that no bundle declares.
    public static ChangesetRules of(FleetResources resources, String agent) {
        return resources.agent(agent).flatMap(declared -> resources.bundle(declared.bundle()))
                .map(bundle -> of(bundle, agent)).orElse(NONE);
    }

    private static boolean lists(SwarmSpec swarm, String agent) {
        return swarm.entryAgent().name().equals(agent)
                || swarm.agents().stream().map(Ref::name).anyMatch(agent::equals);
    }

    /// True if the file may change.
    ///
    /// @param path from the bundle's folder
    public boolean allows(String path) {
        return enabled && terms.stream().allMatch(each -> each.allows(path));
    }

    /// True if every list of files names it by its path, and there is one. Then also resources that decide about rights
    /// may change in it.
    public boolean names(String path) {
        return enabled && terms.stream().anyMatch(each -> !each.files().isEmpty())
                && terms.stream().allMatch(each -> each.files().isEmpty() || each.names(path));
    }
}
