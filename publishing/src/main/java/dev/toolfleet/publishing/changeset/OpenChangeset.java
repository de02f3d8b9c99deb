package dev.toolfleet.publishing.changeset;

import java.time.Instant;

/// Changeset that was opened and neither committed nor discarded, as it lies beside its folder.
///
/// @param changesetId `cs-`, the second of its opening, and 8 hexadecimal digits of the call that opened it
/// @param bundle whose files they are
/// @param agent who opened it
/// @param baseRef the commit whose files were changed, as `git:` and its id
/// @param reason why; empty for none given
record OpenChangeset(String changesetId, String bundle, String agent, String baseRef, String reason,
        Instant openedAt) {}
