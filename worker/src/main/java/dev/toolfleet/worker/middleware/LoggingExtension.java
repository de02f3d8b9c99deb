package dev.toolfleet.worker.middleware;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallContext;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.databind.node.ObjectNode;

/// The built-in extension `logging`: one line per call when it ends, with the tool, its status and its time. Never the
/// arguments or the result. `config.level` chooses the level (default `info`), `config.priority` the layer.
public final class LoggingExtension implements ExtensionModule {
    private static final Logger LOG = LoggerFactory.getLogger("dev.toolfleet.calls");

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode config) {
        Level level = level(config.path("level").asString("info"));
        registrar.toolCall(config.path("priority").asInt(0), (ctx, next) -> {
            long started = System.nanoTime();
            ToolReply reply = next.proceed();
            log(level, ctx, reply, (System.nanoTime() - started) / 1_000_000);
            return reply;
        });
    }

    private static Level level(String name) {
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(name))
                return level;
        }
        throw new IllegalArgumentException(
                "logging: config.level '" + name + "' is none of error, warn, info, debug, trace");
    }

    private static void log(Level level, ToolCallContext ctx, ToolReply reply, long millis) {
        String code = reply instanceof ToolReply.Failed(var error) ? error.code() : "";
        LOG.atLevel(level).addKeyValue(LogKeys.TOOL, ctx.toolName()).addKeyValue(LogKeys.CALL_ID, ctx.toolCallId())
                .addKeyValue(LogKeys.INSTANCE, ctx.instanceKey()).addKeyValue("status", status(reply))
                .addKeyValue(LogKeys.CODE, code).addKeyValue(LogKeys.MILLIS, millis).log("tool call ended");
    }

    private static String status(ToolReply reply) {
        return switch (reply) {
            case ToolReply.Ok ok -> "ok";
            case ToolReply.Pending pending -> "pending";
            case ToolReply.Failed failed -> "error";
        };
    }
}
