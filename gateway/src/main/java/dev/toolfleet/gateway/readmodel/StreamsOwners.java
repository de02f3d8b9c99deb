package dev.toolfleet.gateway.readmodel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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

    /// Owners at one moment.
    private record Moment(Set<Integer> own, Map<HostPort, Set<Integer>> others) {}

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

    private Map<HostPort, Set<Integer>> others(Map<HostInfo, Set<Integer>> members) {
        Map<HostPort, Set<Integer>> others = new LinkedHashMap<>();
        members.forEach((member, theirs) -> {
            HostPort peer = new HostPort(member.host(), member.port());
            if (!peer.equals(self) && !theirs.isEmpty())
                others.put(peer, theirs);
        });
        return others;
    }

    @Override
    public Optional<Owner> of(int partition) {
        Moment now = moment();
        if (now.own().contains(partition))
            return Optional.of(new Owner.Self());
        return now.others().entrySet().stream().filter(other -> other.getValue().contains(partition)).findFirst()
                .map(other -> new Owner.Other(other.getKey()));
    }

    @Override
    public List<HostPort> others() {
        return new ArrayList<>(moment().others().keySet());
    }

    @Override
    public boolean areComplete() {
        Moment now = moment();
        Set<Integer> all = new TreeSet<>(now.own());
        now.others().values().forEach(all::addAll);
        return all.size() == partitions;
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
