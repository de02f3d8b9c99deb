package dev.toolfleet.gateway.readmodel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.http.HostPort;

/// Search of all partitions for a call, by identity or instance, which lead to no partition: in the own stores, then in
/// those of all other replicas at once, then in copies of the partitions whose owner does not answer.
///
/// **Contract.** `Unknown` only when every partition was searched.
final class CallSearch {
    private final Owners owners;
    private final PartitionReads own;
    private final Function<HostPort, PartitionReads> peers;
    private final Copies copies;
    private final ReadCounts counts;

    CallSearch(Owners owners, PartitionReads own, Function<HostPort, PartitionReads> peers, Copies copies,
            ReadCounts counts) {
        this.owners = owners;
        this.own = own;
        this.peers = peers;
        this.copies = copies;
        this.counts = counts;
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

    /// Search of the partitions of one owner.
    private interface Search {
        Answer<CallId> at(PartitionReads owner, Set<Integer> partitions);
    }

    private Answer<CallId> once(Search search, Copies.Search copied) {
        Owners.Placement now = owners.now();
        Set<Integer> silent = new TreeSet<>(now.unowned());
        Answer<CallId> here = counts.of(ReadCounts.Source.OWN, search.at(own, now.own()));
        if (here instanceof Answer.Found)
            return here;
        if (here instanceof Answer.Unavailable)
            silent.addAll(now.own());
        for (Map.Entry<HostPort, Answer<CallId>> other : all(now.others(), search).entrySet()) {
            if (other.getValue() instanceof Answer.Found)
                return other.getValue();
            if (other.getValue() instanceof Answer.Unavailable)
                silent.addAll(now.others().getOrDefault(other.getKey(), Set.of()));
        }
        return silent.isEmpty() ? here : copies.search(silent, copied);
    }

    private Map<HostPort, Answer<CallId>> all(Map<HostPort, Set<Integer>> others, Search search) {
        Map<HostPort, Answer<CallId>> answers = new LinkedHashMap<>();
        if (others.isEmpty())
            return answers;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<HostPort, Future<Answer<CallId>>> requests = new LinkedHashMap<>();
            others.forEach((other, partitions) -> requests.put(other,
                    threads.submit(
                            () -> counts.of(ReadCounts.Source.OWNER, search.at(peers.apply(other), partitions)))));
            for (Map.Entry<HostPort, Future<Answer<CallId>>> request : requests.entrySet())
                answers.put(request.getKey(), request.getValue().get());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read of another gateway broke", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            others.keySet().forEach(other -> answers.putIfAbsent(other,
                    new Answer.Unavailable<>("the request was interrupted")));
        }
        return answers;
    }
}
