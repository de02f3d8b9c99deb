package dev.toolfleet.policy;

import org.jspecify.annotations.Nullable;

/// Caller of a tool, as far as the call names it. A rule with a scope applies only to a caller with the scope's ids.
public record PolicyCaller(@Nullable String userId, @Nullable String channelId, @Nullable String agentName) {}
