package dev.toolfleet.worker.record;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.guard.ResultGuard.GuardedCall;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.StringNode;

/// The last stage of every answer, of calls that ended here and of those that ended elsewhere. What a guard that fails
/// has not let pass is not published.
public record GuardStage(ResultGuard guard) {
    private static final Logger LOG = LoggerFactory.getLogger(GuardStage.class);

    public Guarded of(CallFacts run, ToolReply reply) {
        return of(run, reply, run.isQuestion(reply));
    }

    /// Returns the reply as the guard lets it pass.
    ///
    /// @param question true if the reply is a question to a person
    public Guarded of(CallFacts run, ToolReply reply, boolean question) {
        ToolCall call = run.call().arrival().call();
        try {
            return guard.guard(new GuardedCall(call.name(), call.agentName(), run.ref(), question), reply);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.TOOL, call.name())
                    .addKeyValue(LogKeys.CALL_ID, call.id()).log("result guard failed");
            return new Guarded(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The fleet's result guard failed, so the answer is withheld.")), null);
        }
    }

    /// A message on its way, which is guarded as an output would be.
    String message(CallFacts run, String text) {
        return of(run, new ToolReply.Ok(StringNode.valueOf(text))).reply() instanceof ToolReply.Ok(StringNode guarded)
                ? guarded.stringValue()
                : "";
    }
}
