package dev.toolfleet.worker.pipeline;

import java.time.Duration;

import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.policy.JournalGate;
import dev.toolfleet.worker.policy.LimitGate;
import dev.toolfleet.worker.policy.PolicyGate;

/// What a call passes inside its onion, in this order, and the guard after it.
///
/// @param catalog is the tool in the step's catalog?
/// @param policy may it be called?
/// @param limits may it be called now?
/// @param journal is it noted, if it must not happen twice?
/// @param handlers run it
/// @param guard what of the reply may be published?
/// @param defaultTimeout of a handler whose export sets none
public record Stages(CatalogGate catalog, PolicyGate policy, LimitGate limits, JournalGate journal,
        HandlerExecutor handlers, ResultGuard guard, Duration defaultTimeout) {}
