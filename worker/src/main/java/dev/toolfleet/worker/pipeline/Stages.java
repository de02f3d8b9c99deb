package dev.toolfleet.worker.pipeline;

import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.execute.Operands;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.override.CallWatch;
import dev.toolfleet.worker.override.LaneHelp;
import dev.toolfleet.worker.recovery.IdentityStage;
import dev.toolfleet.worker.telemetry.CallTraces;

/// What a call passes, in this order: identity, then inside its onion catalog, policy and the start of its handler, and
/// the guard at the end.
///
/// @param identity does it have to run at all?
/// @param catalog is the tool in the step's catalog?
/// @param policy may it be called, or does a person have to approve it?
/// @param operands on which files does it depend?
/// @param starts may it be called now? Notes it, if it must not happen twice, and runs it
/// @param guard what of the reply may be published?
/// @param help for a lane that does not get over it
/// @param watch ends what takes too long around the handler
/// @param traces what is told of it to whoever watches
public record Stages(IdentityStage identity, CatalogGate catalog, PolicyStage policy, Operands operands, Starts starts,
        ResultGuard guard, LaneHelp help, CallWatch watch, CallTraces traces) {}
