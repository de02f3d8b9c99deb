package dev.toolfleet.session.transcript;

/// Knowledge about calls that their transcript does not answer. Repair consults it before it declares a result missing.
@FunctionalInterface
public interface CallFacts {
    /// Facts of a reader that has only the transcript.
    CallFacts NONE = (frame, call) -> new Unknown(Reason.LOST);

    /// Returns the state of `call`, which `frame` holds.
    Fact of(Entry frame, Call call);

    /// State of a call.
    sealed interface Fact {}

    /// The call has started and has not ended.
    record Running() implements Fact {}

    /// The call waits for its completion or for approval.
    ///
    /// @param handle names the wait
    record Pending(String handle) implements Fact {}

    /// The call has ended, and its result is known elsewhere.
    ///
    /// @param result the tool's entry to insert
    record Answered(Entry result) implements Fact {}

    /// The call's end is not known.
    ///
    /// @param reason the likely cause
    record Unknown(Reason reason) implements Fact {}

    /// Cause of an unknown end.
    enum Reason {
        /// The turn was ended in the middle.
        ABORTED,
        /// The result was not recorded, or was lost with its record.
        LOST,
        /// The wait ended before the call did.
        TIMEOUT
    }
}
