package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// An earlier step and its model's catalog.
///
/// @param turnId the step's turn
/// @param stepId the step
/// @param digest names the content on `tool.catalog.content`
public record RecentStep(String turnId, String stepId, String digest) {
    /// Checks that the step and its content are named.
    public RecentStep {
        requireNonNull(turnId, "turnId");
        requireNonNull(stepId, "stepId");
        requireNonNull(digest, "digest");
    }
}
