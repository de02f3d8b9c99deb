package dev.toolfleet.worker.record;

import dev.toolfleet.worker.identity.LoopMark;
import org.jspecify.annotations.Nullable;

/// Place of a final result among the equal results of its call.
///
/// @param mark its count, for the next owner of the partition; null for a result that is not counted
/// @param notice the text for the model; null for none
record LoopEnd(@Nullable LoopMark mark, @Nullable String notice) {
    /// A result that is not counted.
    static final LoopEnd NONE = new LoopEnd(null, null);
}
