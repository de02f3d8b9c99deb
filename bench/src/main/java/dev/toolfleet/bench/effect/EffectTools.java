package dev.toolfleet.bench.effect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// The tools of a run: each says in a file that it begins, is busy for as long as its call asks, and says that it has
/// ended.
public final class EffectTools implements ToolModule {
    /// The system property that names the file of this process.
    public static final String FILE = "toolfleet.bench.effects";

    private final EffectLog log;

    /// For the worker.
    public EffectTools() {
        String file = System.getProperty(FILE);
        if (file == null)
            throw new IllegalStateException("the system property " + FILE + " is not set");
        try {
            this.log = EffectLog.open(Path.of(file), InstantSource.system());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        Map<String, ToolHandler> handlers = new LinkedHashMap<>();
        for (Kind kind : Kind.values())
            handlers.put(kind.export(), (ctx, input) -> run(kind, ctx, input));
        return handlers;
    }

    private ToolOutput run(Kind kind, ToolContext ctx, ObjectNode input) throws IOException, InterruptedException {
        EffectLog.Run run = log.begin(kind, ctx.toolCallId(), ctx.instanceKey(), ctx.attempt());
        try {
            Thread.sleep(input.path(PlannedCall.MILLIS).asLong(0));
        } catch (InterruptedException e) {
            log.cut(run);
            throw e;
        }
        log.end(run);
        return ToolOutput.of(Map.of("attempt", ctx.attempt()));
    }

    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
