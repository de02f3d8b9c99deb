package dev.toolfleet.worker.pipeline;

import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.policy.LimitGate;

/// What a call passes, in this order: identity, then inside its onion catalog, policy, limits, journal and handler, and
/// the guard at the end.
///
/// @param identity does it have to run at all?
/// @param catalog is the tool in the step's catalog?
/// @param policy may it be called, or does a person have to approve it?
/// @param limits may it be called now?
/// @param journal is it noted, if it must not happen twice?
/// @param handlers run it
/// @param guard what of the reply may be published?
public record Stages(IdentityStage identity, CatalogGate catalog, PolicyStage policy, LimitGate limits, Journal journal,
        HandlerExecutor handlers, ResultGuard guard) {}
