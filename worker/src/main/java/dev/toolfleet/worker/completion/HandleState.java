package dev.toolfleet.worker.completion;

import java.util.Set;

import dev.toolfleet.wire.PendingCall;

/// State of a handle. Each method is an event and returns the next state with its effects; an event without meaning for
/// a state changes nothing. Pure: time and declarations come in by the [Moment].
///
/// | state | known for | then |
/// |---|---|---|
/// | [Unknown] | | |
/// | [Early] | an hour | dead letters |
/// | [Open] | until its deadline at most | [Ended] |
/// | [Ended] | seven days | [Unknown] |
/// | [Unreadable] | as another version decided, until its deadline at most | [Ended], or [Unknown] |
sealed interface HandleState permits Unknown, Early, Open, Ended, Unreadable {
    /// The call of this handle came on `tool.pending`.
    Step pended(PendingCall call, Moment at);

    /// A record that names this handle came.
    Step told(Told told, Moment at);

    /// The module's answer came.
    Step answered(Answer answer, Moment at);

    /// The time of one of [#dues] has come. The next state must not contain it.
    Step due(Due due, Moment at);

    /// Returns all timers of the state. The index by time holds exactly these.
    Set<Due> dues();

    /// True if the whole call is still needed, for its module or to be written again.
    boolean keepsCall();
}
