package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.Set;

/// Callers to whom a rule applies. A call must fit every field that is not empty (a conjunction), and one item of each.
/// An id that a call does not carry fits no item. Ids are compared exactly.
public record RuleScope(Set<String> userIds, Set<String> channelIds, Set<String> agentNames) {
    /// The keys of a rule's `scope`.
    public static final Set<String> KEYS = Set.of("userId", "channelId", "agentName");
    /// All callers.
    public static final RuleScope ALL = new RuleScope(Set.of(), Set.of(), Set.of());

    /// Copies the sets.
    public RuleScope {
        userIds = Set.copyOf(userIds);
        channelIds = Set.copyOf(channelIds);
        agentNames = Set.copyOf(agentNames);
    }

    static RuleScope of(ResourceJson scope) {
        scope.known(KEYS);
        RuleScope read = new RuleScope(ids(scope.get("userId")), ids(scope.get("channelId")),
                ids(scope.get("agentName")));
        if (scope.empty())
            throw scope.wrong("a mapping with userId, channelId or agentName");
        return read;
    }

    /// True if every call that fits the other one fits this one too.
    public boolean covers(RuleScope other) {
        return covers(userIds, other.userIds) && covers(channelIds, other.channelIds)
                && covers(agentNames, other.agentNames);
    }

    /// Number of its keys.
    int keys() {
        return (userIds.isEmpty() ? 0 : 1) + (channelIds.isEmpty() ? 0 : 1) + (agentNames.isEmpty() ? 0 : 1);
    }

    /// Returns its canonical form; empty for all callers.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        RuleSelector.add(text, "userId", userIds);
        RuleSelector.add(text, "channelId", channelIds);
        RuleSelector.add(text, "agentName", agentNames);
        return text.toString();
    }

    private static Set<String> ids(ResourceJson json) {
        return Set.copyOf(json.texts(Optional::of, ""));
    }

    private static boolean covers(Set<String> ours, Set<String> theirs) {
        return ours.isEmpty() || (!theirs.isEmpty() && ours.containsAll(theirs));
    }
}
