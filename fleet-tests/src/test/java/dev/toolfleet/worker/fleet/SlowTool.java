package dev.toolfleet.worker.fleet;

import java.util.Map;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// A tool that takes its time to be made, on the thread that follows the topics.
public final class SlowTool implements ToolModule {
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch GATE = new CountDownLatch(1);

    /// Waits for the test.
    public SlowTool() throws InterruptedException {
        BEGUN.countDown();
        GATE.await();
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("run", (ctx, input) -> ToolOutput.of("at last"));
    }
}
