package dev.toolfleet.policy;

import org.jspecify.annotations.Nullable;

/// Who calls, as far as the call says so. A rule with a scope holds only for a caller who says what the scope names.
public record PolicyCaller(@Nullable String userId, @Nullable String channelId, @Nullable String agentName) {}
