package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.PendingCall;

/// State of a handle. Each method is an event and returns the next state with its effects; an event without meaning for
/// a state changes nothing. Pure: time and declarations come in by the [DecisionContext].
///
/// | state | known for | then |
/// |---|---|---|
/// | [UnknownHandle] | | |
/// | [EarlyHandle] | two hours | dead letters |
/// | [PendingHandle] | until its deadline at most | [EndedHandle] |
/// | [EndedHandle] | seven days | [UnknownHandle] |
/// | [UnreadableHandle] | as another version decided, until its deadline at most | [EndedHandle], or [UnknownHandle] |
sealed interface HandleLifecycle permits UnknownHandle, EarlyHandle, PendingHandle, EndedHandle, UnreadableHandle {
    /// The call of this handle came on `tool.pending`.
    Transition pended(PendingCall call, DecisionContext at);

    /// A record that names this handle came.
    Transition told(HandleMessage told, DecisionContext at);

    /// The module's answer came.
    Transition answered(ModuleAnswer answer, DecisionContext at);

    /// The time of one of [#dues] has come. The next state must not contain it.
    Transition due(HandleTimer due, DecisionContext at);

    /// Returns all timers of the state. The index by time holds exactly these.
    Set<HandleTimer> dues();

    /// True if the whole call is still needed, for its module or to be written again.
    boolean keepsCall();

    /// Result of an event.
    ///
    /// @param next the state from now on
    /// @param effects the effects, in order, in the transaction that stores the state
    record Transition(HandleLifecycle next, List<HandleEffect> effects) {
        public Transition {
            effects = List.copyOf(effects);
        }

        static Transition of(HandleLifecycle next, HandleEffect... effects) {
            return new Transition(next, List.of(effects));
        }
    }
}
