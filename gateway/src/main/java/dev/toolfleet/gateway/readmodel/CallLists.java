package dev.toolfleet.gateway.readmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.LoadCount;
import dev.toolfleet.gateway.calls.TopicPosition;
import org.jspecify.annotations.Nullable;

/// Lists of the calls of all partitions, and their load: from the own stores, and from those of all other replicas at
/// once.
///
/// **Contract.** Partitions whose owner does not answer are missing in an answer, and copies are not read. Otherwise: a
/// person looks at a list that has stood still and takes it for the present.
final class CallLists {
    /// Instances with the most calls that each replica returns. The calls of one instance are in one partition, as a rule.
    static final int INSTANCES_OF_ONE = 100;
    private static final int INSTANCES = 10;

    private final Owners owners;
    private final AllOwners all;

    CallLists(Owners owners, AllOwners all) {
        this.owners = owners;
        this.all = all;
    }

    /// Values of the owners that answered.
    ///
    /// @param missing the partitions that none of them has
    /// @param reason the reason of one that did not answer
    private record Values<T>(List<T> values, Set<Integer> missing, Optional<String> reason) {
        Answer<T> merged(Function<Values<T>, T> merge) {
            return values.isEmpty()
                    ? new Answer.Unavailable<>(reason.orElse("no gateway that can be reached owns a partition"))
                    : new Answer.Found<>(merge.apply(this));
        }
    }

    /// Returns the newest selected calls.
    Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit) {
        Values<CallPage> pages = read((owner, partitions) -> owner.list(partitions, filter, before, limit),
                CallPage::missing);
        return pages.merged(from -> PageMerge.of(from.values(), before, limit, from.missing()));
    }

    /// Returns the load.
    Answer<FleetLoad> load() {
        Values<FleetLoad> loads = read(PartitionReads::load, FleetLoad::missing);
        return loads.merged(from -> {
            LoadCount count = new LoadCount();
            from.values().forEach(count::add);
            return count.load(INSTANCES, from.missing());
        });
    }

    private <T> Values<T> read(AllOwners.Read<T> read, Function<T, Set<Integer>> missingOf) {
        Owners.Placement now = owners.now();
        List<T> values = new ArrayList<>();
        Set<Integer> missing = new TreeSet<>(now.unowned());
        Optional<String> reason = Optional.empty();
        for (AllOwners.Reply<T> reply : all.all(now, read)) {
            switch (reply.answer()) {
                case Answer.Found<T>(T value) -> {
                    values.add(value);
                    missing.addAll(missingOf.apply(value));
                }
                case Answer.Unknown<T>(String clause) -> {
                    missing.addAll(reply.partitions());
                    reason = Optional.of(clause);
                }
                case Answer.Unavailable<T>(String clause) -> {
                    missing.addAll(reply.partitions());
                    reason = Optional.of(clause);
                }
            }
        }
        return new Values<>(values, missing, reason);
    }
}
