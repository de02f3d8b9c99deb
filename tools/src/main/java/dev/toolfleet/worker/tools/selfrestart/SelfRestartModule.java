package dev.toolfleet.worker.tools.selfrestart;

import java.time.Duration;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `self-restart` with the export `request`. The worker that runs the call drains, which publishes
/// this call's result with those of other calls, and ends with the exit code by which its launcher starts it again.
public final class SelfRestartModule implements ToolModule {
    private static final String NO_REASON = "tool:self-restart";

    private final Restarts restarts;

    /// Creates a module that requests restarts here.
    public SelfRestartModule(Restarts restarts) {
        this.restarts = restarts;
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("request", this::request);
    }

    private ToolOutput request(ToolContext ctx, ObjectNode input) throws ToolException {
        String said = input.path("reason").asString("").replaceAll("\\p{Cntrl}+", " ").strip();
        String reason = said.isEmpty() ? NO_REASON : said;
        return switch (restarts.request(reason)) {
            case Restarts.Answer.Begins() -> ToolOutput.of(Json.MAPPER.createObjectNode().put("ok", true)
                    .put("restartRequested", true).put("restartReason", reason));
            case Restarts.Answer.TooSoon(Duration in) -> throw new ToolException(ErrorCode.E_TOOL_RATE_LIMITED.name(),
                    "This worker has only just started; the next restart may be requested in " + seconds(in) + " s.")
                    .suggestion("Go on without a restart, or ask again then. If what you wanted did not work after a"
                            + " restart, another one will not help: say so.");
            case Restarts.Answer.Unattended() -> throw new ToolException(ErrorCode.E_TOOL.name(),
                    "This worker cannot be restarted: nothing is there to start it again.")
                    .suggestion("Ask the operator to restart it, or go on without.");
        };
    }

    private static long seconds(Duration time) {
        return Math.max(1, time.plusMillis(999).toSeconds());
    }
}
