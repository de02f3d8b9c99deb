package dev.toolfleet.gateway.readmodel;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallId;

/// Search of all partitions for a call, by identity or instance, which lead to no partition: in the own stores, then in
/// those of all other replicas at once, then in copies of the partitions whose owner does not answer.
///
/// **Contract.** `Unknown` only when every partition was searched.
final class CallSearch {
    private final Owners owners;
    private final AllOwners all;
    private final Copies copies;

    CallSearch(Owners owners, AllOwners all, Copies copies) {
        this.owners = owners;
        this.all = all;
        this.copies = copies;
    }

    /// Searches for the first call of an identity.
    Answer<CallId> callOf(byte[] identity) {
        return once((owner, partitions) -> owner.callOf(partitions, identity),
                (copy, partitions) -> copy.callOf(partitions, identity));
    }

    /// Searches for the latest call of an instance.
    Answer<CallId> latestCall(byte[] instance) {
        return once((owner, partitions) -> owner.latestCall(partitions, instance),
                (copy, partitions) -> copy.latestCall(partitions, instance));
    }

    private Answer<CallId> once(AllOwners.Read<CallId> search, Copies.Search copied) {
        Owners.Placement now = owners.now();
        Set<Integer> silent = new TreeSet<>(now.unowned());
        Answer<CallId> here = all.own(now, search);
        if (here instanceof Answer.Found)
            return here;
        if (here instanceof Answer.Unavailable)
            silent.addAll(now.own());
        for (AllOwners.Reply<CallId> other : all.others(now, search)) {
            if (other.answer() instanceof Answer.Found)
                return other.answer();
            if (other.answer() instanceof Answer.Unavailable)
                silent.addAll(other.partitions());
        }
        return silent.isEmpty() ? here : copies.search(silent, copied);
    }
}
