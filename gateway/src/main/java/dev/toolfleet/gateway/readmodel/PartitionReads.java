package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.Set;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.TopicPosition;
import org.jspecify.annotations.Nullable;

/// Reads of the partitions of one replica: this one or another. A read of a partition that the replica does not own is
/// `Unavailable`; it is never forwarded.
interface PartitionReads {
    /// Returns the state of a call.
    ///
    /// @param patience the longest wait for the read model to reach the call
    Answer<CallView> find(CallId id, Duration patience);

    /// Returns the events of a call.
    ///
    /// @param after the last seen event; null to begin with `accepted`
    /// @param patience as for [#find]
    /// @param wait the longest wait for the first event
    Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration patience, Duration wait);

    /// Returns the first call with an identity in these partitions; `Unavailable` unless the replica owns all of them.
    Answer<CallId> callOf(Set<Integer> partitions, byte[] identity);

    /// Returns the latest call of an instance in these partitions, as [#callOf].
    Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance);

    /// Returns the final results of an instance in a partition.
    ///
    /// @param from the first offset on `tool.result`
    /// @param wait the longest wait for the first result
    Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Duration wait);

    /// Returns the newest selected calls of these partitions, as far as the budget of one search reaches. The partitions
    /// that the replica does not own are missing; `Unavailable` if it owns none of them.
    ///
    /// @param before the position of an earlier page; null to begin with the newest call
    Answer<CallPage> list(Set<Integer> partitions, CallFilter filter, @Nullable TopicPosition before, int limit);

    /// Returns the load of these partitions, with up to [CallLists#INSTANCES_OF_ONE] instances; as [#list].
    Answer<FleetLoad> load(Set<Integer> partitions);
}
