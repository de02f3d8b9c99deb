package dev.toolfleet.bench.effect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// The tools of a run: each writes to a file that it begins, is busy for as long as its call demands, writes that it
/// has ended, and answers with its call's id and a text of the length that the call demands.
public final class EffectTools implements ToolModule {
    /// The system property that names the file of this process.
    public static final String FILE = "toolfleet.bench.effects";
    /// The system property with the hours by which the clock of this process is ahead.
    public static final String HOURS_AHEAD = "toolfleet.bench.hoursAhead";
    /// The field of an answer with the call's id.
    public static final String CALL = "call";
    /// The field of an answer with the text.
    public static final String TEXT = "text";

    private final EffectLog log;

    /// For the worker.
    public EffectTools() {
        String file = System.getProperty(FILE);
        if (file == null)
            throw new IllegalStateException("the system property " + FILE + " is not set");
        Duration ahead = Duration.ofHours(Integer.getInteger(HOURS_AHEAD, 0));
        try {
            this.log = EffectLog.open(Path.of(file), () -> Instant.now().minus(ahead));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        Map<String, ToolHandler> handlers = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            handlers.put(kind.export(), (ctx, input) -> run(kind, ctx, input));
            handlers.put(kind.askedExport(), (ctx, input) -> run(kind, ctx, input));
        }
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
        if (input.path(PlannedCall.PENDING).asBoolean(false))
            return ToolOutput.pending(ctx.newHandle(), Map.of(CALL, ctx.toolCallId()));
        return ToolOutput.of(answer(ctx.toolCallId(), input.path(PlannedCall.BYTES).asInt(0)));
    }

    /// The answer to a call.
    public static ObjectNode answer(String callId, int bytes) {
        return Json.MAPPER.createObjectNode().put(CALL, callId).put(TEXT, ".".repeat(bytes));
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
