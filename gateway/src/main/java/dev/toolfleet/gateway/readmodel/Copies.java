package dev.toolfleet.gateway.readmodel;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.http.HostPort;

/// Copies of all partitions: of this replica, and then of others. For partitions whose owner does not answer.
final class Copies {
    private final Owners owners;
    private final CopyReads own;
    private final Function<HostPort, CopyReads> peers;
    private final ReadCounts counts;

    Copies(Owners owners, CopyReads own, Function<HostPort, CopyReads> peers, ReadCounts counts) {
        this.owners = owners;
        this.own = own;
        this.peers = peers;
        this.counts = counts;
    }

    /// Read of one copy.
    interface Read<T> {
        Answer<T> at(CopyReads copy);
    }

    /// Search of one copy.
    interface Search {
        Answer<CallId> in(CopyReads copy, Set<Integer> partitions);
    }

    /// Returns the first answer of a copy that holds what is looked for; else `Unavailable`.
    <T> Answer<T> read(int partition, Read<T> read) {
        Answer<T> answer = counts.of(ReadCounts.Source.COPY, read.at(own));
        for (HostPort other : owners.copiesOf(partition)) {
            if (answer instanceof Answer.Found)
                break;
            answer = counts.of(ReadCounts.Source.COPY, read.at(peers.apply(other)));
        }
        return answer;
    }

    /// Searches partitions: each in one copy.
    Answer<CallId> search(Set<Integer> partitions, Search search) {
        Map<HostPort, Set<Integer>> elsewhere = new HashMap<>();
        Answer<CallId> open = new Answer.Unknown<>("no call was found");
        for (int partition : partitions) {
            Answer<CallId> here = counts.of(ReadCounts.Source.COPY, search.in(own, Set.of(partition)));
            if (here instanceof Answer.Found)
                return here;
            if (here instanceof Answer.Unknown)
                continue;
            if (owners.copiesOf(partition).isEmpty())
                open = here;
            else
                elsewhere.computeIfAbsent(owners.copiesOf(partition).getFirst(), other -> new TreeSet<>())
                        .add(partition);
        }
        for (Map.Entry<HostPort, Set<Integer>> other : elsewhere.entrySet()) {
            Answer<CallId> there = counts.of(ReadCounts.Source.COPY,
                    search.in(peers.apply(other.getKey()), other.getValue()));
            if (there instanceof Answer.Found)
                return there;
            if (there instanceof Answer.Unavailable)
                open = there;
        }
        return open;
    }
}
