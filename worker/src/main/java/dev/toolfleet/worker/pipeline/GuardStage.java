package dev.toolfleet.worker.pipeline;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The last stage of every answer, of calls that ended here and of those that ended elsewhere. What a guard that fails
/// has not let pass is not published.
record GuardStage(ResultGuard guard) {
    private static final Logger LOG = LoggerFactory.getLogger(GuardStage.class);

    Guarded of(String tool, ToolReply reply) {
        try {
            return guard.guard(tool, reply);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().setCause(e).addKeyValue(LogKeys.TOOL, tool).log("result guard failed");
            return new Guarded(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The fleet's result guard failed, so the answer is withheld.")), null);
        }
    }
}
