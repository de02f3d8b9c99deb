package dev.toolfleet.gateway.calls;

import java.time.Instant;

import dev.toolfleet.wire.Decision;
import org.jspecify.annotations.Nullable;

/// Decision about a handle of a call, as it stands on `tool.decision`. The fleet may have refused it; the call's stage
/// and result show the outcome.
///
/// @param handle the handle that it names
/// @param verdict approve or reject
/// @param by the person, by the writer's account
/// @param reason for people and the model
/// @param at the record's time, by its writer's clock
public record CallDecision(String handle, Decision.Verdict verdict, @Nullable String by, @Nullable String reason,
        Instant at) {}
