package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.Completion;

/// Answer of a module to an inquiry, for the call of that inquiry.
sealed interface ModuleAnswer {
    /// Returns the place of the call that was meant; the handle may belong to another call meanwhile.
    CallPlace call();

    /// The module reports progress of the work, or its end.
    record Found(CallPlace call, Completion completion) implements ModuleAnswer {}

    /// The module reports nothing now.
    record Silent(CallPlace call) implements ModuleAnswer {}

    /// The module was informed that the work is no longer needed.
    record Informed(CallPlace call) implements ModuleAnswer {}
}
