package dev.toolfleet.bench.engine;

import java.util.Map;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The tool of a comparison: it sleeps for as long as its arguments say, and returns their number and text.
public final class ComparedTool implements ToolModule {
    /// The Tool.
    public static final String TOOL = "compared";
    /// The agent that may call it.
    public static final String AGENT = "compared";
    /// Export that may run again.
    public static final String IDEMPOTENT = "put";
    /// Export without such a promise, so that its calls are journaled.
    public static final String ONCE = "append";
    /// Export that may run again, and whose results add the labels `untrusted` and `sensitive`.
    public static final String LABELLED = "label";
    /// Argument and output with the call's number.
    public static final String NUMBER = "number";
    static final String MILLIS = "millis";
    static final String TEXT = "text";

    /// For the worker.
    public ComparedTool() {}

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of(IDEMPOTENT, (ctx, input) -> ToolOutput.of(work(input)), ONCE,
                (ctx, input) -> ToolOutput.of(work(input)), LABELLED,
                (ctx, input) -> ToolOutput.of(work(input)));
    }

    /// Work of the tool, the same for every caller.
    static ObjectNode work(ObjectNode input) throws InterruptedException {
        long millis = input.path(MILLIS).asLong();
        if (millis > 0)
            Thread.sleep(millis);
        return JsonNodeFactory.instance.objectNode().put(NUMBER, input.path(NUMBER).asInt()).put(TEXT,
                input.path(TEXT).asString());
    }
}
