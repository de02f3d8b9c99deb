package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/// Calls of a partition that run, wait for their commit, or are replayed while they wait for a handle, by identity. Not
/// thread-safe: [PartitionState] guards it.
final class RunningCalls {
    private final Map<Digest128, Call> calls = new HashMap<>();
    private boolean closed;

    /// A call that runs.
    ///
    /// @param ended completes when its result is committed; exceptionally when the assignment ends first
    record Call(Digest128 fingerprint, CompletableFuture<Void> ended) {
        /// Returns the standing of a call with the same identity.
        CallStanding standing(IdentifiedCall call) {
            return fingerprint.equals(call.fingerprintDigest())
                    ? new CallStanding.Twin(ended)
                    : new CallStanding.Conflict();
        }
    }

    void add(Digest128 identity, Digest128 fingerprint) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        if (closed)
            ended.cancel(false);
        calls.put(identity, new Call(fingerprint, ended));
    }

    @Nullable
    Call of(Digest128 identity) {
        return calls.get(identity);
    }

    /// Completes when the call does not run any more; it is complete if the call does not run.
    CompletableFuture<Void> ended(Digest128 identity) {
        Call call = calls.get(identity);
        return call == null ? CompletableFuture.completedFuture(null) : call.ended();
    }

    @Nullable
    Call remove(Digest128 identity) {
        return calls.remove(identity);
    }

    /// Ends the assignment. Returns the calls that will have no result here.
    List<Call> close() {
        closed = true;
        return List.copyOf(calls.values());
    }

    /// Releases the waits for the end of a call. Not under a lock: the waiting code calls back.
    static void settle(@Nullable Call ended) {
        if (ended != null)
            ended.ended().complete(null);
    }
}
