package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.topology.IndexKey;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

/// Reads of all partitions: of the own ones from the own stores, of others from their owners.
///
/// **Contract.** A replica that receives a forwarded read never forwards it. A read whose partition moves is tried again
/// until [CallReads#CATCH_UP] is over, so that the death of a replica delays reads and does not fail them.
///
/// **Why.** The read is forwarded, not the request: the replica that a client reached judges the principal, and it does
/// so by the call that the read returns. An owner trusts the other replicas, which have the internal token.
final class RoutedCalls implements CallReads {
    private static final Duration TRY_EVERY = Duration.ofMillis(100);

    private final Owners owners;
    private final PartitionReads own;
    private final Function<HostPort, PartitionReads> peers;

    RoutedCalls(Owners owners, PartitionReads own, Function<HostPort, PartitionReads> peers) {
        this.owners = owners;
        this.own = own;
        this.peers = peers;
    }

    @Override
    public Answer<CallView> find(CallId id) {
        return at(id.partition(), (reads, left) -> reads.find(id, left));
    }

    @Override
    public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration wait) {
        Countdown all = new Countdown(checked(wait));
        return at(id.partition(), (reads, left) -> reads.events(id, after, left, all.left()));
    }

    @Override
    public Answer<CallId> callOf(String instanceKey, CallIdentity identity) {
        byte[] digest = IndexKey.digest(identity);
        return anywhere(reads -> reads.callOf(digest));
    }

    @Override
    public Answer<InstanceResults> results(String instanceKey, @Nullable ResultPosition after, int limit,
            Duration wait) {
        if (limit < 1)
            throw new IllegalArgumentException("limit " + limit + " is not allowed: 1 or more");
        Countdown all = new Countdown(checked(wait));
        byte[] instance = IndexKey.digest(instanceKey);
        long from = after == null ? 0 : after.offset() + 1;
        int most = Math.min(limit, PeerRoute.MAX_LIMIT);
        if (after != null)
            return results(after.partition(), instance, from, most, all);
        return switch (anywhere(reads -> reads.latestCall(instance))) {
            case Answer.Found<CallId>(CallId call) -> results(call.partition(), instance, from, most, all);
            // The first result will most likely come there.
            case Answer.Unknown<CallId> none ->
                results(owners.usualPartition(instanceKey), instance, from, most, all);
            case Answer.Unavailable<CallId>(String reason) -> new Answer.Unavailable<>(reason);
        };
    }

    private Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Countdown all) {
        return at(partition, (reads, left) -> reads.results(partition, instance, from, limit, all.left()));
    }

    private static Duration checked(Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0)
            throw new IllegalArgumentException("a wait of " + wait + " is not allowed: 0 to " + MAX_WAIT);
        return wait;
    }

    /// One try at the owner of a partition.
    private interface Try<T> {
        Answer<T> at(PartitionReads reads, Duration left);
    }

    private <T> Answer<T> at(int partition, Try<T> read) {
        if (partition >= owners.partitions())
            return new Answer.Unknown<>("tool.call has the partitions 0 to " + (owners.partitions() - 1));
        Countdown patience = new Countdown(CATCH_UP);
        while (true) {
            Answer<T> answer = once(partition, read, patience.left());
            if (!(answer instanceof Answer.Unavailable) || patience.isOver() || !pause(patience))
                return answer;
        }
    }

    private <T> Answer<T> once(int partition, Try<T> read, Duration left) {
        Optional<Owners.Owner> owner = owners.of(partition);
        if (owner.isEmpty())
            return new Answer.Unavailable<>("no gateway that can be reached owns partition " + partition
                    + " of tool.call; unless it is being assigned, the gateways' internal addresses are not"
                    + " reachable");
        return switch (owner.get()) {
            case Owners.Owner.Self() -> read.at(own, left);
            case Owners.Owner.Other(HostPort address) -> read.at(peers.apply(address), left);
        };
    }

    private static boolean pause(Countdown patience) {
        try {
            Thread.sleep(patience.left().compareTo(TRY_EVERY) < 0 ? patience.left() : TRY_EVERY);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Reads the own stores, then those of all other replicas at once.
    private Answer<CallId> anywhere(Function<PartitionReads, Answer<CallId>> read) {
        Countdown patience = new Countdown(CATCH_UP);
        while (true) {
            Answer<CallId> answer = anywhereOnce(read);
            if (!(answer instanceof Answer.Unavailable) || patience.isOver() || !pause(patience))
                return answer;
        }
    }

    private Answer<CallId> anywhereOnce(Function<PartitionReads, Answer<CallId>> read) {
        Answer<CallId> here = read.apply(own);
        if (here instanceof Answer.Found)
            return here;
        List<Answer<CallId>> answers = new ArrayList<>(List.of(here));
        boolean complete = owners.areComplete();
        answers.addAll(all(owners.others(), read));
        Answer<CallId> unsure = complete ? here : new Answer.Unavailable<>("some partitions have no known owner now");
        for (Answer<CallId> answer : answers) {
            if (answer instanceof Answer.Found)
                return answer;
            if (answer instanceof Answer.Unavailable)
                unsure = answer;
        }
        return unsure;
    }

    private List<Answer<CallId>> all(List<HostPort> others, Function<PartitionReads, Answer<CallId>> read) {
        List<Answer<CallId>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer<CallId>>> requests = others.stream()
                    .map(other -> threads.submit(() -> read.apply(peers.apply(other)))).toList();
            for (Future<Answer<CallId>> request : requests)
                answers.add(request.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read of another gateway broke", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answers.add(new Answer.Unavailable<>("the request was interrupted"));
        }
        return answers;
    }
}
