package dev.toolfleet.gateway.readmodel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.http.HostPort;

/// Owners of partitions, as this replica knows them. Thread-safe.
interface Owners {
    /// Returns the owner of a partition; empty while none is known.
    Optional<Owner> of(int partition);

    /// Returns the owners of all partitions.
    Placement now();

    /// Returns the other replicas that hold a copy of a partition.
    List<HostPort> copiesOf(int partition);

    /// Returns the number of partitions of `tool.call`.
    int partitions();

    /// Returns the partition in which Kafka's own partitioner places an instance.
    int usualPartition(String instanceKey);

    /// Owners of all partitions at one moment.
    ///
    /// @param own the partitions of this replica
    /// @param others the other replicas that own partitions, with these
    /// @param unowned the partitions without a known owner
    record Placement(Set<Integer> own, Map<HostPort, Set<Integer>> others, Set<Integer> unowned) {}

    /// Owner of a partition.
    sealed interface Owner {
        /// This replica.
        record Self() implements Owner {}

        /// Another one.
        record Other(HostPort address) implements Owner {}
    }
}
