package dev.toolfleet.gateway.readmodel;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.http.HostPort;

/// Owners of partitions, as this replica knows them. Thread-safe.
interface Owners {
    /// Returns the owner of a partition; empty while none is known.
    Optional<Owner> of(int partition);

    /// Returns the other replicas that own partitions.
    List<HostPort> others();

    /// True if every partition has a known owner.
    boolean areComplete();

    /// Returns the number of partitions of `tool.call`.
    int partitions();

    /// Returns the partition in which Kafka's own partitioner places an instance.
    int usualPartition(String instanceKey);

    /// Owner of a partition.
    sealed interface Owner {
        /// This replica.
        record Self() implements Owner {}

        /// Another one.
        record Other(HostPort address) implements Owner {}
    }
}
