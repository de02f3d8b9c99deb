package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Result of one policy stage for a call.
///
/// @param stage by its name, such as `user-deny`
/// @param verdict absent, like the other two, when the stage decided nothing
public record AuditStage(String stage, @Nullable String verdict, @Nullable String rule, @Nullable String reason) {
    /// Checks that the stage is present.
    public AuditStage {
        requireNonNull(stage, "stage");
    }
}
