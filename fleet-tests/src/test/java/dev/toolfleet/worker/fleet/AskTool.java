package dev.toolfleet.worker.fleet;

import java.time.Duration;
import java.util.Map;

import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// Tool that sends a request to an agent and waits for the answer.
public final class AskTool implements ToolModule {
    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("ask", AskTool::ask);
    }

    private static ToolOutput ask(ToolContext ctx, ObjectNode input) throws InterruptedException {
        return ToolOutput.of(Map.of("heard", ctx.runtime().orElseThrow().request(
                AgentToolRuntime.Message.to("reviewer", input.path("input").asString()), Duration.ofSeconds(60))));
    }
}
