package dev.toolfleet.policy;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/// What one stage says about a call.
///
/// @param cause null when it has nothing to say
public record StageResult(Stage stage, @Nullable Cause cause) {
    /// What it says and why; empty when it has nothing to say.
    public Optional<Cause> said() {
        return Optional.ofNullable(cause);
    }
}
