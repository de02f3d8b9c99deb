package dev.toolfleet.worker.completion;

import java.util.Set;

import dev.toolfleet.wire.PendingCall;

/// What the fleet knows of a handle. Each method is an event and says what it comes to; an event that means nothing to a
/// state changes nothing. Pure: time and declarations come in by the [Moment].
///
/// | state | known for | then |
/// |---|---|---|
/// | [Unknown] | | |
/// | [Early] | an hour | dead letters |
/// | [Open] | until its deadline at most | [Ended] |
/// | [Ended] | seven days | [Unknown] |
/// | [Unreadable] | as another version decided, until its deadline at most | [Ended], or [Unknown] |
sealed interface HandleState permits Unknown, Early, Open, Ended, Unreadable {
    /// The call of this handle stands on `tool.pending`.
    Step pended(PendingCall call, Moment at);

    /// Somebody said something by this handle.
    Step told(Told told, Moment at);

    /// The module was asked or told.
    Step answered(Answer answer, Moment at);

    /// The time of one of [#dues] has come; it is not among those of the next state.
    Step due(Due due, Moment at);

    /// What will be due, exactly; the index by time holds these and no others.
    Set<Due> dues();

    /// Whether the whole call is still needed, for its module or to be written again.
    boolean keepsCall();
}
