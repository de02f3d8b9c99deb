package dev.toolfleet.gateway.readmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.http.HostPort;

/// Reads at all owners of partitions at once: this replica and the others.
final class AllOwners {
    private final PartitionReads own;
    private final Function<HostPort, PartitionReads> peers;
    private final ReadCounts counts;

    AllOwners(PartitionReads own, Function<HostPort, PartitionReads> peers, ReadCounts counts) {
        this.own = own;
        this.peers = peers;
        this.counts = counts;
    }

    /// Read of the partitions of one owner.
    interface Read<T> {
        Answer<T> at(PartitionReads owner, Set<Integer> partitions);
    }

    /// Answer of one owner.
    ///
    /// @param partitions those that were asked for
    record Reply<T>(Set<Integer> partitions, Answer<T> answer) {}

    /// Reads the partitions of this replica.
    <T> Answer<T> own(Owners.Placement now, Read<T> read) {
        return counts.of(ReadCounts.Source.OWN, read.at(own, now.own()));
    }

    /// Reads the partitions of the other replicas.
    <T> List<Reply<T>> others(Owners.Placement now, Read<T> read) {
        if (now.others().isEmpty())
            return List.of();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return ended(requests(now, read, threads));
        }
    }

    /// Reads the partitions of all replicas that own any.
    <T> List<Reply<T>> all(Owners.Placement now, Read<T> read) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Request<T>> requests = requests(now, read, threads);
            List<Reply<T>> replies = new ArrayList<>();
            if (!now.own().isEmpty())
                replies.add(new Reply<>(now.own(), own(now, read)));
            replies.addAll(ended(requests));
            return replies;
        }
    }

    /// Read that is under way at another replica.
    private record Request<T>(Set<Integer> partitions, Future<Answer<T>> answer) {}

    private <T> List<Request<T>> requests(Owners.Placement now, Read<T> read, ExecutorService threads) {
        List<Request<T>> requests = new ArrayList<>();
        for (Map.Entry<HostPort, Set<Integer>> other : now.others().entrySet())
            requests.add(new Request<>(other.getValue(), threads.submit(() -> counts.of(ReadCounts.Source.OWNER,
                    read.at(peers.apply(other.getKey()), other.getValue())))));
        return requests;
    }

    private static <T> List<Reply<T>> ended(List<Request<T>> requests) {
        List<Reply<T>> replies = new ArrayList<>();
        for (Request<T> request : requests)
            replies.add(new Reply<>(request.partitions(), ended(request.answer())));
        return replies;
    }

    private static <T> Answer<T> ended(Future<Answer<T>> request) {
        try {
            return request.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read of another gateway broke", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            request.cancel(true);
            return new Answer.Unavailable<>("the request was interrupted");
        }
    }
}
