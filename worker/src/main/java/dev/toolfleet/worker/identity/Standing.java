package dev.toolfleet.worker.identity;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.wire.CallIntent;

/// What a partition knows of a call that is about to start.
public sealed interface Standing {

    /// Nothing: it goes on, and is running from now on.
    record Fresh() implements Standing {}

    /// This very record was answered before: it is done, and nothing is published.
    record Done() implements Standing {}

    /// The same call was answered; its latest result is published again.
    record Answered(Answer answer) implements Standing {}

    /// The same call waits for its handle, and its pending result was forgotten.
    record Pending(String handle) implements Standing {}

    /// The same call runs.
    ///
    /// @param ended completes when its result is committed; exceptionally when the assignment ends first
    record Twin(CompletableFuture<Void> ended) implements Standing {}

    /// Another call has the same identity.
    record Conflict() implements Standing {}

    /// An earlier owner wrote this intent and no result: the call may have happened. It is running from now on.
    record Open(CallIntent intent) implements Standing {}
}
