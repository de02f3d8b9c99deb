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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// The last stage of every answer, of calls that ended here and of those that ended elsewhere: the result guard, and behind
/// it the check of outputs. What a guard that fails has not let pass is not published.
///
/// @param outputs checks final outputs, as they left the guard
public record GuardStage(ResultGuard guard, OutputCheck outputs) {
    private static final Logger LOG = LoggerFactory.getLogger(GuardStage.class);

    /// A stage that lets every output pass that its guard lets pass.
    public GuardStage(ResultGuard guard) {
        this(guard, OutputCheck.NONE);
    }

    /// Returns the reply as it may be published.
    public Guarded of(CallFacts run, ToolReply reply) {
        return of(run, reply, run.isQuestion(reply));
    }

    /// Returns the reply as it may be published.
    ///
    /// @param question true if the reply is a question to a person
    public Guarded of(CallFacts run, ToolReply reply, boolean question) {
        Guarded guarded = guarded(run, reply, question);
        if (!(guarded.reply() instanceof ToolReply.Ok(JsonNode output)))
            return guarded;
        ToolError broken = outputs.error(run, output, guarded.facts());
        return broken == null ? guarded : guarded(run, new ToolReply.Failed(broken), false);
    }

    private Guarded guarded(CallFacts run, ToolReply reply, boolean question) {
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
        return guarded(run, new ToolReply.Ok(StringNode.valueOf(text)), false)
                .reply() instanceof ToolReply.Ok(StringNode guarded)
                        ? guarded.stringValue()
                        : "";
    }
}
