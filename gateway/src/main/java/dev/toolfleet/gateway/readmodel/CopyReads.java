package dev.toolfleet.gateway.readmodel;

import java.util.Set;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.InstanceResults;
import org.jspecify.annotations.Nullable;

/// Reads of one replica's copies of partitions that others own.
///
/// **Contract.** A copy holds what its owner had some time ago: of each topic a first part. So an answer holds nothing
/// that the owner would not show, and may lack the newest. A call that a copy does not hold is `Unavailable`, never
/// `Unknown`. No read waits.
interface CopyReads {
    /// Returns the state of a call.
    Answer<CallView> find(CallId id);

    /// Returns the events of a call; maybe none.
    Answer<CallEvents> events(CallId id, @Nullable EventId after);

    /// Returns the first call with an identity in these partitions. `Unknown` if a call with this identity can only be so
    /// young that a worker recognises its repetition.
    Answer<CallId> callOf(Set<Integer> partitions, byte[] identity);

    /// Returns the latest call of an instance in these partitions, as [#callOf].
    Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance);

    /// Returns the final results of an instance in a partition; maybe none.
    Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit);
}
