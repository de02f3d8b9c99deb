package dev.toolfleet.gateway.readmodel;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import dev.toolfleet.gateway.topology.CallStores;
import dev.toolfleet.http.HostPort;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;

/// Owners of partitions by the metadata that the members of the group exchange. It may be some seconds old: a read at a
/// former owner is answered with `Unavailable` and tried again.
final class StreamsOwners implements Owners {
    private final OwnCalls.Stores stores;
    private final HostPort self;
    private final int partitions;

    /// @param self the address of this replica
    /// @param partitions the number of partitions of `tool.call`
    StreamsOwners(OwnCalls.Stores stores, HostPort self, int partitions) {
        this.stores = stores;
        this.self = self;
        this.partitions = partitions;
    }

    /// Partitions of all members at one moment.
    private record Moment(Set<Integer> own, Map<HostPort, CallStores.Held> others) {}

    private Moment moment() {
        try {
            Optional<CallStores> found = stores.now();
            return found.isEmpty()
                    ? new Moment(Set.of(), Map.of())
                    : new Moment(found.get().owned(), others(found.get().members()));
        } catch (InvalidStateStoreException | IllegalStateException e) {
            // Partitions moved while the metadata was read.
            return new Moment(Set.of(), Map.of());
        }
    }

    private Map<HostPort, CallStores.Held> others(Map<HostInfo, CallStores.Held> members) {
        Map<HostPort, CallStores.Held> others = new LinkedHashMap<>();
        members.forEach((member, theirs) -> {
            HostPort peer = new HostPort(member.host(), member.port());
            if (!peer.equals(self))
                others.put(peer, theirs);
        });
        return others;
    }

    @Override
    public Optional<Owner> of(int partition) {
        Moment now = moment();
        if (now.own().contains(partition))
            return Optional.of(new Owner.Self());
        return now.others().entrySet().stream().filter(other -> other.getValue().owned().contains(partition))
                .findFirst().map(other -> new Owner.Other(other.getKey()));
    }

    @Override
    public Placement now() {
        Moment now = moment();
        Set<Integer> unowned = new TreeSet<>(IntStream.range(0, partitions).boxed().toList());
        unowned.removeAll(now.own());
        Map<HostPort, Set<Integer>> others = new LinkedHashMap<>();
        now.others().forEach((other, theirs) -> {
            if (!theirs.owned().isEmpty())
                others.put(other, theirs.owned());
            unowned.removeAll(theirs.owned());
        });
        return new Placement(now.own(), others, unowned);
    }

    @Override
    public List<HostPort> copiesOf(int partition) {
        return moment().others().entrySet().stream().filter(other -> other.getValue().copied().contains(partition))
                .map(Map.Entry::getKey).toList();
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public int usualPartition(String instanceKey) {
        return Utils.toPositive(Utils.murmur2(instanceKey.getBytes(StandardCharsets.UTF_8))) % partitions;
    }
}
