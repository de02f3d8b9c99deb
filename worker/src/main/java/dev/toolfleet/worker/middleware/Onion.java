package dev.toolfleet.worker.middleware;

import java.util.List;
import java.util.function.BooleanSupplier;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.middleware.ToolCallMiddleware.Next;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.Layer;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runner of a call through its layers, outermost first, to the core and back.
public final class Onion {
    private static final Logger LOG = LoggerFactory.getLogger(Onion.class);

    private Onion() {}

    /// Inside of all layers: catalog, policy, arguments, limits, journal and handler.
    @FunctionalInterface
    public interface Core {
        /// Returns the reply to the call as the layers left it. Failures are replies.
        ToolReply reply();
    }

    /// Runs the call. A layer that throws, or goes on twice, ends the call with `E_TOOL_MIDDLEWARE`, unless a layer
    /// further out catches it.
    ///
    /// @param mayNotRepeat called when a layer failed; true if the call may have had an effect that it must not have
    /// twice
    public static ToolReply run(List<Layer> outermostFirst, OnionCall call, Core core, BooleanSupplier mayNotRepeat) {
        if (outermostFirst.isEmpty())
            return core.reply();
        try {
            return into(outermostFirst, 0, call, core).proceed();
        } catch (Throwable e) {
            // An Error of a layer must not end the lane either (G5 in `docs/guarantees.md`).
            LOG.atWarn().setCause(Unquoted.of(e)).addKeyValue(LogKeys.TOOL, call.toolName())
                    .addKeyValue(LogKeys.CALL_ID, call.toolCallId())
                    .log("middleware failed");
            ToolError failed = ToolError.of(ErrorCode.E_TOOL_MIDDLEWARE,
                    "Middleware failed: " + e.getClass().getSimpleName() + ": " + e.getMessage());
            return new ToolReply.Failed(mayNotRepeat.getAsBoolean()
                    ? failed.saying(failed.message() + ". The tool had been started.")
                            .suggesting(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.suggestion())
                    : failed);
        }
    }

    private static Next into(List<Layer> layers, int depth, OnionCall call, Core core) {
        return new Next() {
            private boolean used;

            @Override
            public ToolReply proceed() throws Exception {
                if (used)
                    throw new IllegalStateException("next() was called twice");
                used = true;
                if (depth == layers.size())
                    return core.reply();
                Layer layer = layers.get(depth);
                ToolReply reply = layer.middleware().handle(call, into(layers, depth + 1, call, core));
                if (reply == null) {
                    throw new IllegalStateException("extension '" + layer.extension() + "' returned no reply");
                }
                return reply;
            }
        };
    }
}
