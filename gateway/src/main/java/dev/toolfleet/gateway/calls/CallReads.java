package dev.toolfleet.gateway.calls;

import java.time.Duration;

import dev.toolfleet.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

/// Reads of the calls of all partitions. A replica that does not own a partition forwards the read to its owner, once.
///
/// **Contract.** Nothing that the fleet has not committed is returned as a result. A read of a call that the read model
/// has not reached yet waits up to [#CATCH_UP]. Readers judge by the returned call who may see it: the read model
/// knows nothing of principals.
///
/// **Threads.** Thread-safe; reads block, so callers run on virtual threads.
public interface CallReads {
    /// The longest wait for the read model to reach the record of a call.
    Duration CATCH_UP = Duration.ofSeconds(5);
    /// The longest wait for something new.
    Duration MAX_WAIT = Duration.ofSeconds(30);

    /// Returns the state of a call.
    Answer<CallView> find(CallId id);

    /// Returns the events of a call.
    ///
    /// @param after the last event that the reader has seen; null to begin with `accepted`
    /// @param wait the longest wait for the first event, at most [#MAX_WAIT]; zero returns at once
    Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration wait);

    /// Returns the first call of an identity, such as that of an idempotency key ([CallIdentity]). The identity holds
    /// the instance, so no other instance's call is found.
    ///
    /// @param instanceKey the instance in the identity; it leads to the partition
    Answer<CallId> callOf(String instanceKey, CallIdentity identity);

    /// Returns the final results of an instance.
    ///
    /// @param after the last result that the reader has seen; null for the earliest that is kept
    /// @param limit the largest number of results, at least 1
    /// @param wait the longest wait for the first result, at most [#MAX_WAIT]; zero returns at once
    Answer<InstanceResults> results(String instanceKey, @Nullable ResultPosition after, int limit, Duration wait);

    /// Returns the newest selected calls. The page lacks the partitions whose owner does not answer; `Unavailable` if
    /// none could be read.
    ///
    /// @param before the position of an earlier page ([CallPage#next]); null to begin with the newest call
    /// @param limit the largest number of calls, at least 1; a page may have fewer
    Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit);

    /// Returns the load of the fleet now, without the partitions whose owner does not answer; `Unavailable` if none could
    /// be read.
    Answer<FleetLoad> load();
}
