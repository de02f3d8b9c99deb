package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.tool.Operand;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The tools of the integration tests. A worker makes the module itself, so what tests need to see or hold is kept by
/// the test's own tag, which every call carries in its arguments.
public final class TestTools implements ToolModule {
    private static final Map<String, Probe> PROBES = new ConcurrentHashMap<>();

    /// Probe of one test: the calls that it sees and holds back.
    static final class Probe {
        final List<String> started = new CopyOnWriteArrayList<>();
        final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        final Map<String, Integer> mostByInstance = new ConcurrentHashMap<>();
        final AtomicInteger now = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final CountDownLatch gate = new CountDownLatch(1);

        void enter(String instance, String id) {
            started.add(id);
            int here = running.computeIfAbsent(instance, key -> new AtomicInteger()).incrementAndGet();
            mostByInstance.merge(instance, here, Math::max);
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
        }

        void leave(String instance) {
            now.decrementAndGet();
            AtomicInteger here = running.get(instance);
            if (here != null)
                here.decrementAndGet();
        }
    }

    static Probe probe(String tag) {
        return PROBES.computeIfAbsent(tag, key -> new Probe());
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("echo", (ctx, input) -> ToolOutput.of(input), "write", this::tracked, "read", this::tracked,
                "held",
                this::held, "fail", TestTools::fail, "late", TestTools::fail, "odd", TestTools::odd, "pend",
                TestTools::pend,
                "stubborn", (ctx, input) -> {
                    Probe probe = probe(input.path("tag").asString() + "stubborn");
                    probe.started.add(ctx.toolCallId());
                    return stubborn(probe);
                });
    }

    /// The file that the test's arguments name.
    @Override
    public List<Operand> operands(String export, ToolContext ctx, ObjectNode input) throws IOException {
        if (!input.has("file"))
            return List.of();
        Path file = Path.of(input.path("file").asString());
        return List.of(Operand.of(file.getFileName().toString(), Files.readAllBytes(file)));
    }

    /// Answers by the test's arguments, as if the tool had a ledger of its own.
    @Override
    public Reconciliation reconcile(String export, ToolContext ctx, ObjectNode input) {
        return switch (input.path("reconcile").asString("")) {
            case "happened" -> Reconciliation.happened(Map.of("id", "from the ledger"));
            case "did not happen" -> Reconciliation.didNotHappen();
            default -> Reconciliation.unknown();
        };
    }

    private ToolOutput tracked(ToolContext ctx, ObjectNode input) throws InterruptedException {
        Probe probe = probe(input.path("tag").asString());
        probe.enter(ctx.instanceKey(), ctx.toolCallId());
        try {
            Thread.sleep(input.path("ms").asInt(0));
            // Its deadline ends it where they do not come together.
            while (probe.mostByInstance.getOrDefault(ctx.instanceKey(), 0) < input.path("together").asInt(0))
                Thread.sleep(5);
            return ToolOutput.of(Map.of("id", ctx.toolCallId()));
        } finally {
            probe.leave(ctx.instanceKey());
        }
    }

    private ToolOutput held(ToolContext ctx, ObjectNode input) throws InterruptedException {
        Probe probe = probe(input.path("tag").asString());
        probe.enter(ctx.instanceKey(), ctx.toolCallId());
        try {
            if (ctx.toolCallId().startsWith("hold"))
                probe.gate.await();
            return ToolOutput.of(Map.of("id", ctx.toolCallId()));
        } finally {
            probe.leave(ctx.instanceKey());
        }
    }

    private static @Nullable ToolOutput fail(ToolContext ctx, ObjectNode input) throws Exception {
        return switch (input.path("how").asString()) {
            case "exception" -> throw new IllegalStateException("the disk is on fire");
            case "error" -> throw new StackOverflowError("an Error, not an Exception");
            case "known" -> throw new ToolException("E_DISK", "no space left").suggestion("delete something");
            case "quote" -> throw new IllegalStateException("cannot use " + input, new Exception("of " + input));
            case "null" -> null;
            case "notJson" -> ToolOutput.of(new Cyclic());
            case "huge" -> ToolOutput.of("x".repeat(5_000_000));
            case "sleep" -> {
                Thread.sleep(60_000);
                yield null;
            }
            case "stubborn" -> stubborn(probe(input.path("tag").asString("") + "stubborn"));
            default -> throw new IllegalArgumentException("how?");
        };
    }

    /// Ignores its interrupt until the test lets it go.
    private static ToolOutput stubborn(Probe probe) {
        while (true) {
            try {
                probe.gate.await();
                return ToolOutput.of("too late");
            } catch (InterruptedException e) {
                probe.started.add("interrupted");
            }
        }
    }

    /// Reports progress, and goes on elsewhere.
    private static ToolOutput pend(ToolContext ctx, ObjectNode input) {
        if (input.has("tag"))
            probe(input.path("tag").asString()).started.add(ctx.toolCallId());
        ctx.progress(50.0, "half of it");
        ToolOutput.Pending pending = ToolOutput.pending(input.path("handle").asString(), Map.of());
        if (input.has("token"))
            pending = pending.demanding(input.path("token").asString());
        return input.has("silentSeconds")
                ? pending.silentAtMost(Duration.ofSeconds(input.path("silentSeconds").asInt()))
                : pending;
    }

    private static ToolOutput odd(ToolContext ctx, ObjectNode input) {
        return ToolOutput
                .of(Map.of("workdir", ctx.workdir().toString(), "exists", ctx.workdir().toFile().isDirectory()));
    }

    /// Cannot be JSON.
    public static final class Cyclic {
        /// Itself.
        public List<Object> getSelf() {
            List<Object> self = new ArrayList<>();
            self.add(this);
            return self;
        }
    }
}
