package dev.toolfleet.publishing.changeset;

import java.time.Instant;

import static java.util.Objects.requireNonNull;

/// Changeset that was opened and neither committed nor discarded, as it lies beside its folder.
///
/// @param changesetId `cs-`, the second of its opening, and 8 hexadecimal digits of the call that opened it
/// @param bundle whose files they are
/// @param agent who opened it
/// @param baseRef the commit whose files were changed, as `git:` and its id
/// @param reason why; empty for none given
record OpenChangeset(String changesetId, String bundle, String agent, String baseRef, String reason,
        Instant openedAt) {
    /// Longest reason, in characters.
    static final int LONGEST_REASON = 1_000;

    /// Checks what an agent may have written.
    OpenChangeset {
        requireNonNull(changesetId, "changesetId");
        requireNonNull(bundle, "bundle");
        requireNonNull(agent, "agent");
        requireNonNull(baseRef, "baseRef");
        requireNonNull(reason, "reason");
        requireNonNull(openedAt, "openedAt");
        if (reason.length() > LONGEST_REASON)
            throw new IllegalArgumentException("the reason has more than " + LONGEST_REASON + " characters");
    }
}
