package dev.toolfleet.worker;

import java.util.Map;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// A tool, and an extension that answers every call, which load when their test lets them.
public final class SlowTools implements ToolModule {
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    /// What is loaded from now on hangs.
    public static void hang() {
        gate = new CountDownLatch(1);
    }

    /// What hangs goes on.
    public static void letGo() {
        gate.countDown();
    }

    private static void pass() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void configure(ObjectNode config) {
        pass();
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("run", (ctx, input) -> ToolOutput.of("run"));
    }

    @Override
    public PollAnswer poll(String export, PendingWork work) {
        return PollAnswer.completed(export);
    }

    /// Answers instead of the tool.
    public static final class Answering implements ExtensionModule {
        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {
            pass();
            registrar.toolCall((ctx, next) -> new ToolReply.Ok(StringNode.valueOf("answered by the layer")));
        }
    }
}
