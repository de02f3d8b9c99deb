package dev.toolfleet.policy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// Users and channels that rules name.
record CallerIds(Set<String> users, Set<String> channels) {
    static CallerIds of(List<CompiledRule> rules) {
        Set<String> users = new HashSet<>();
        Set<String> channels = new HashSet<>();
        for (CompiledRule rule : rules) {
            users.addAll(rule.rule().scope().userIds());
            channels.addAll(rule.rule().scope().channelIds());
        }
        return new CallerIds(Set.copyOf(users), Set.copyOf(channels));
    }

    /// Returns the caller with these ids only. Its agent stays: bundles declare agents.
    PolicyCaller only(PolicyCaller caller) {
        return new PolicyCaller(known(users, caller.userId()), known(channels, caller.channelId()),
                caller.agentName());
    }

    private static @Nullable String known(Set<String> ids, @Nullable String id) {
        return id != null && ids.contains(id) ? id : null;
    }
}
