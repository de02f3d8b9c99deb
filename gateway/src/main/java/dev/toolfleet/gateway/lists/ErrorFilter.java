package dev.toolfleet.gateway.lists;

import java.time.Instant;
import java.util.function.Predicate;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.wire.ToolErrorEvent;
import org.jspecify.annotations.Nullable;

/// Selection of errors.
///
/// @param since errors that occurred then or later
/// @param code in upper or lower case; null for every code but that of notices
/// @param tool of tools that it selects; null for all
/// @param agent of this agent; null for all
/// @param instance of this instance; null for all
/// @param visible rejects those that the reader may not see
public record ErrorFilter(Instant since, @Nullable String code, @Nullable Glob tool, @Nullable String agent,
        @Nullable String instance, Predicate<ToolErrorEvent> visible) {
    /// True if it selects the error.
    public boolean selects(ToolErrorEvent error) {
        return !error.occurredAt().isBefore(since) && selectsCode(error.error().code())
                && (tool == null || tool.matches(error.toolName()))
                && (agent == null || agent.equals(error.agentName()))
                && (instance == null || instance.equals(error.instanceKey())) && visible.test(error);
    }

    /// A notice is no error, and comes only where its code is asked for.
    private boolean selectsCode(String of) {
        return code == null ? !of.equals(ToolErrorEvent.DIGEST_MISMATCH) : code.equalsIgnoreCase(of);
    }
}
