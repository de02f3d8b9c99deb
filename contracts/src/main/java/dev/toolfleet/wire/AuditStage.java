package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What one stage of a policy said about a call.
///
/// @param stage by its name, such as `user-deny`
/// @param verdict absent when it had nothing to say, as are the other two
public record AuditStage(String stage, @Nullable String verdict, @Nullable String rule, @Nullable String reason) {
    /// Checks that the stage is named.
    public AuditStage {
        requireNonNull(stage, "stage");
    }
}
