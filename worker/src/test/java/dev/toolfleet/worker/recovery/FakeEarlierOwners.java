package dev.toolfleet.worker.recovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.HandOver;
import org.jspecify.annotations.Nullable;

/// Earlier owners that say what the test lets them say.
final class FakeEarlierOwners implements Recovery.EarlierOwners {
    final Map<String, HandOver> said = new HashMap<>();
    final List<String> asked = new ArrayList<>();
    boolean member = true;
    /// Where a member differs from the others.
    final Map<String, Boolean> left = new HashMap<>();
    Runnable whenAsked = () -> {};
    @Nullable
    HandOver lastWords;

    @Override
    public @Nullable HandOver news(int partition, String identity) {
        asked.add("news");
        whenAsked.run();
        return said.get(identity);
    }

    @Override
    public boolean isMember(String memberId) {
        asked.add("member");
        return member;
    }

    @Override
    public boolean hasLeft(String memberId) {
        return left.getOrDefault(memberId, !member);
    }

    @Override
    public boolean catchUp(int partition) {
        asked.add("caught up");
        if (lastWords != null)
            said.put(lastWords.identity(), lastWords);
        return true;
    }
}
