package dev.toolfleet.worker.pipeline;

import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.execute.OperandInquiry;
import dev.toolfleet.worker.override.CallWatch;
import dev.toolfleet.worker.override.LaneOverride;
import dev.toolfleet.worker.record.GuardStage;
import dev.toolfleet.worker.record.LoopStage;
import dev.toolfleet.worker.recovery.IdentityStage;
import dev.toolfleet.worker.telemetry.CallTraces;

/// Stages of a call, in their order: identity, then inside its onion catalog, policy and the start of its handler, and the
/// guard at the end.
///
/// @param identity decides whether it has to run at all
/// @param catalog looks its tool up in the step's catalog
/// @param loops refuses it if it repeats without a change
/// @param policy rules it, and requests a person's approval
/// @param budgets refuses it if too little is left for it
/// @param authorization lets it wait for a person's authorization
/// @param operands finds the files on which it depends
/// @param starts admits it, notes it if it must not happen twice, and runs it
/// @param guard changes its reply before that is published, and checks its output
/// @param help lets operators past it
/// @param watch ends it when the way to its handler, or back, takes too long
/// @param traces begins its spans
public record CallStages(IdentityStage identity, CatalogGate catalog, LoopStage loops, PolicyStage policy,
        BudgetStage budgets,
        AuthorizationStage authorization, OperandInquiry operands, HandlerStarts starts, GuardStage guard,
        LaneOverride help, CallWatch watch, CallTraces traces) {}
