package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.IndexKey;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

/// Reads of all partitions: of the own ones from the own stores, of others from their owners, and from copies while an
/// owner does not answer.
///
/// **Contract.** A replica that receives a forwarded read never forwards it. A read whose partition moves is tried again
/// until [CallReads#CATCH_UP] is over, so that the death of a replica delays reads and does not fail them. A copy may
/// lack the newest: it never makes a call unknown, and a reader who waits for something new goes on to wait for the
/// owner.
///
/// **Why.** The read is forwarded, not the request: the replica that a client reached judges the principal, and it does
/// so by the call that the read returns. An owner trusts the other replicas, which have the internal token.
final class RoutedCalls implements CallReads {
    private static final Duration TRY_EVERY = Duration.ofMillis(100);

    private final Owners owners;
    private final PartitionReads own;
    private final Function<HostPort, PartitionReads> peers;
    private final Copies copies;
    private final ReadCounts counts;
    private final CallSearch search;
    private final CallLists lists;

    RoutedCalls(Owners owners, PartitionReads own, Function<HostPort, PartitionReads> peers, Copies copies,
            ReadCounts counts) {
        this.owners = owners;
        this.own = own;
        this.peers = peers;
        this.copies = copies;
        this.counts = counts;
        AllOwners all = new AllOwners(own, peers, counts);
        this.search = new CallSearch(owners, all, copies);
        this.lists = new CallLists(owners, all);
    }

    @Override
    public Answer<CallView> find(CallId id) {
        return at(id.partition(), (reads, left) -> reads.find(id, left), copy -> copy.find(id), view -> true);
    }

    @Override
    public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration wait) {
        Countdown all = new Countdown(checked(wait));
        return at(id.partition(), (reads, left) -> reads.events(id, after, left, all.left()),
                copy -> copy.events(id, after),
                events -> !events.events().isEmpty() || events.ended() || all.isOver());
    }

    @Override
    public Answer<CallId> callOf(String instanceKey, CallIdentity identity) {
        byte[] digest = IndexKey.digest(identity);
        return until(() -> search.callOf(digest));
    }

    @Override
    public Answer<InstanceResults> results(String instanceKey, @Nullable ResultPosition after, int limit,
            Duration wait) {
        int most = most(limit);
        Countdown all = new Countdown(checked(wait));
        byte[] instance = IndexKey.digest(instanceKey);
        long from = after == null ? 0 : after.offset() + 1;
        if (after != null)
            return results(after.partition(), instance, from, most, all);
        return switch (until(() -> search.latestCall(instance))) {
            case Answer.Found<CallId>(CallId call) -> results(call.partition(), instance, from, most, all);
            // The first result will most likely come there.
            case Answer.Unknown<CallId> none ->
                results(owners.usualPartition(instanceKey), instance, from, most, all);
            case Answer.Unavailable<CallId>(String reason) -> new Answer.Unavailable<>(reason);
        };
    }

    private Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Countdown all) {
        return at(partition, (reads, left) -> reads.results(partition, instance, from, limit, all.left()),
                copy -> copy.results(partition, instance, from, limit),
                results -> !results.results().isEmpty() || all.isOver());
    }

    private static int most(int limit) {
        if (limit < 1)
            throw new IllegalArgumentException("limit " + limit + " is not allowed: 1 or more");
        return Math.min(limit, PeerRoute.MAX_LIMIT);
    }

    private static Duration checked(Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0)
            throw new IllegalArgumentException("a wait of " + wait + " is not allowed: 0 to " + MAX_WAIT);
        return wait;
    }

    @Override
    public Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit) {
        return lists.list(filter, before, most(limit));
    }

    @Override
    public Answer<FleetLoad> load() {
        return lists.load();
    }

    /// One try at the owner of a partition.
    private interface Try<T> {
        Answer<T> at(PartitionReads reads, Duration left);
    }

    /// Reads at the owner, and at copies while it does not answer.
    ///
    /// @param enough true for a copy's value that ends the wait
    private <T> Answer<T> at(int partition, Try<T> read, Copies.Read<T> copied, Predicate<T> enough) {
        if (partition >= owners.partitions())
            return new Answer.Unknown<>("tool.call has the partitions 0 to " + (owners.partitions() - 1));
        Countdown patience = new Countdown(CATCH_UP);
        while (true) {
            Answer<T> answer = once(partition, read, patience.left());
            if (!(answer instanceof Answer.Unavailable))
                return answer;
            Answer<T> copy = copies.read(partition, copied);
            boolean held = copy instanceof Answer.Found;
            if (copy instanceof Answer.Found<T>(T value) && enough.test(value))
                return copy;
            if (patience.isOver() || !pause(patience))
                return held ? copy : answer;
        }
    }

    private <T> Answer<T> once(int partition, Try<T> read, Duration left) {
        Optional<Owners.Owner> owner = owners.of(partition);
        if (owner.isEmpty())
            return new Answer.Unavailable<>("no gateway that can be reached owns partition " + partition
                    + " of tool.call; unless it is being assigned, the gateways' internal addresses are not"
                    + " reachable");
        return switch (owner.get()) {
            case Owners.Owner.Self() -> counts.of(ReadCounts.Source.OWN, read.at(own, left));
            case Owners.Owner.Other(HostPort address) ->
                counts.of(ReadCounts.Source.OWNER, read.at(peers.apply(address), left));
        };
    }

    private Answer<CallId> until(Supplier<Answer<CallId>> read) {
        Countdown patience = new Countdown(CATCH_UP);
        while (true) {
            Answer<CallId> answer = read.get();
            if (!(answer instanceof Answer.Unavailable) || patience.isOver() || !pause(patience))
                return answer;
        }
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
}
