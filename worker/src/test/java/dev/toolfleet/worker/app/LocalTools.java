package dev.toolfleet.worker.app;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.slf4j.MDC;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// The tools of [LocalFleetTest], and an extension.
public final class LocalTools implements ToolModule {
    static final AtomicBoolean SPIN = new AtomicBoolean();
    static final AtomicInteger SPINNING = new AtomicInteger();

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("echo", (ctx, input) -> ToolOutput.of(input), "fail", (ctx, input) -> {
            throw new ToolException("E_OWN", "as asked").suggestion("Ask otherwise.");
        }, "evil", (ctx, input) -> {
            throw new RuntimeException() {
                @Override
                public String getMessage() {
                    throw this;
                }
            };
        }, "never", (ctx, input) -> {
            new CountDownLatch(1).await();
            return null;
        }, "later", (ctx, input) -> ToolOutput.pending(ctx.newHandle(), Map.of("message", "started")), "spin",
                (ctx, input) -> spin(), "keys", (ctx, input) -> ToolOutput.of(MDC.getCopyOfContextMap()));
    }

    /// Computes for as long as the test wants, and never looks at its interrupt.
    private static ToolOutput spin() {
        SPINNING.incrementAndGet();
        while (SPIN.get())
            Thread.onSpinWait();
        return ToolOutput.of(SPINNING.decrementAndGet());
    }

    /// Marks every call, and breaks those that ask for it.
    public static final class Marks implements ExtensionModule {
        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {
            registrar.toolCall((ctx, next) -> {
                if (ctx.args() instanceof ObjectNode args) {
                    if (args.has("break"))
                        throw new Broken();
                    if (args.has("answer"))
                        return new ToolReply.Ok(StringNode.valueOf("answered by the layer"));
                    if (args.has("keys"))
                        return new ToolReply.Ok(Json.MAPPER.valueToTree(MDC.getCopyOfContextMap()));
                    if (args.has("hangBefore"))
                        new CountDownLatch(1).await();
                    if (args.has("hangBehind")) {
                        next.proceed();
                        new CountDownLatch(1).await();
                    }
                    if (args.has("mark"))
                        args.put("marked", config.path("as").asString());
                }
                return next.proceed();
            });
        }
    }

    /// An Error that cannot even say what it is.
    static final class Broken extends Error {
        @Override
        public String getMessage() {
            throw this;
        }
    }
}
