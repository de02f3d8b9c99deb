package dev.toolfleet.worker.completion;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.bundle.PollSpec;

/// Input of a decision about a handle beside its state.
///
/// @param now the time
/// @param poll the schedule for asking the call's module; empty if it is not to be asked, or the tool is not declared
/// now
record DecisionContext(Instant now, Optional<PollSpec> poll) {}
