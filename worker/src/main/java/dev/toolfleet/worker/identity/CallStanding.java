package dev.toolfleet.worker.identity;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.wire.CallIntent;

/// Standing of a call that is about to start, as its partition knows it.
public sealed interface CallStanding {

    /// The call is not known: it goes on, and counts as running from now on.
    record Fresh() implements CallStanding {}

    /// Exactly this record was answered before: it is done, and no result is published.
    record Done() implements CallStanding {}

    /// The same call was answered; its latest result is published again.
    ///
    /// @param waits whether that is a pending result: then the call counts as running from now on, so that its final
    /// result waits until the replay is committed
    record Answered(EarlierAnswer answer, boolean waits) implements CallStanding {}

    /// The same call waits for its handle, and its pending result was forgotten. It counts as running from now on, too.
    record Pending(String handle) implements CallStanding {}

    /// The same call runs.
    ///
    /// @param ended completes when its result is committed; exceptionally when the assignment ends first
    record Twin(CompletableFuture<Void> ended) implements CallStanding {}

    /// Another call has the same identity.
    record Conflict() implements CallStanding {}

    /// An earlier owner wrote this intent and no result: the call may have happened. It counts as running from now on.
    ///
    /// @param doubtful whether the intent may be that of another record, which lay at the same offset before
    record Open(CallIntent intent, boolean doubtful) implements CallStanding {}

    /// A later version left an entry about the call that this one cannot read: the call may have happened, and must not
    /// run. It counts as running from now on.
    record Unreadable() implements CallStanding {}

    /// An approval that no person gave for the waiting call: it runs nothing, and the call waits on.
    record Forged(String why) implements CallStanding {}

    /// A result may answer exactly this record, or another one that lay at the same offset before. The call counts as
    /// running from now on; a handler that must not run twice must not start.
    record Doubtful() implements CallStanding {}
}
