package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.Completion;

/// What came of asking or telling a module, for the call that was meant.
sealed interface Answer {
    /// Which call was meant; the handle may meanwhile be another's.
    CallPlace call();

    /// The module knows how the work goes, or how it ended.
    record Found(CallPlace call, Completion completion) implements Answer {}

    /// The module does not know now.
    record Silent(CallPlace call) implements Answer {}

    /// The module was told that nobody wants the work.
    record Informed(CallPlace call) implements Answer {}
}
