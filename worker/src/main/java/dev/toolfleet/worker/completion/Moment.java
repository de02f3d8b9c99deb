package dev.toolfleet.worker.completion;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.bundle.PollSpec;

/// What a decision about a handle depends on beside the handle.
///
/// @param now the time
/// @param poll how the call's module is asked; empty when it is not, or nobody knows the tool now
record Moment(Instant now, Optional<PollSpec> poll) {}
