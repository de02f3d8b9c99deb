package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.stream.Stream;

/// Result of an event.
///
/// @param next the state from now on
/// @param effects the effects, in order, in the transaction that stores the state
record HandleTransition(HandleLifecycle next, List<HandleEffect> effects) {
    HandleTransition {
        effects = List.copyOf(effects);
    }

    /// Returns the same step with one more effect, the last.
    HandleTransition and(HandleEffect more) {
        return new HandleTransition(next, Stream.concat(effects.stream(), Stream.of(more)).toList());
    }

    static HandleTransition of(HandleLifecycle next, HandleEffect... effects) {
        return new HandleTransition(next, List.of(effects));
    }
}
