package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.stream.Stream;

/// What an event comes to.
///
/// @param next the state from now on
/// @param effects what has to happen, in order, in the transaction that stores the state
record Step(HandleState next, List<Effect> effects) {
    Step {
        effects = List.copyOf(effects);
    }

    /// The same with one effect more, the last.
    Step and(Effect more) {
        return new Step(next, Stream.concat(effects.stream(), Stream.of(more)).toList());
    }

    static Step of(HandleState next, Effect... effects) {
        return new Step(next, List.of(effects));
    }
}
