package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.stream.Stream;

/// Result of an event.
///
/// @param next the state from now on
/// @param effects the effects, in order, in the transaction that stores the state
record Step(HandleState next, List<Effect> effects) {
    Step {
        effects = List.copyOf(effects);
    }

    /// Returns the same step with one more effect, the last.
    Step and(Effect more) {
        return new Step(next, Stream.concat(effects.stream(), Stream.of(more)).toList());
    }

    static Step of(HandleState next, Effect... effects) {
        return new Step(next, List.of(effects));
    }
}
