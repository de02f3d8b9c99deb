package dev.toolfleet.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.testkit.HandlerRun.Outcome;
import dev.toolfleet.testkit.ToolContract.ExportCase;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Verification of a contract: runs every input and collects the violations.
final class ContractRun {
    /// Enough calls to distinguish a stray file of the tool from one of another process.
    private static final int REPETITIONS = 3;

    private final Supplier<? extends ToolModule> supplier;
    private final ObjectNode config;
    private final ToolContract.WorkdirSetup setup;
    private final Consumer<FakeToolContext> context;
    private final ContractLimits limits;
    private final Path root;
    private final List<String> violations = new ArrayList<>();
    private int calls;

    ContractRun(Supplier<? extends ToolModule> supplier, ObjectNode config, ToolContract.WorkdirSetup setup,
            Consumer<FakeToolContext> context, ContractLimits limits, Path root) {
        this.supplier = supplier;
        this.config = config;
        this.setup = setup;
        this.context = context;
        this.limits = limits;
        this.root = root;
    }

    List<String> run(List<ExportCase> cases) throws InterruptedException {
        try (LeakWatch leaks = LeakWatch.begin(root)) {
            try (ToolModule module = supplier.get()) {
                module.configure(config.deepCopy());
                Map<String, ToolHandler> handlers = module.handlers();
                for (ExportCase one : cases)
                    runExport(one, module, handlers);
            }
            violations.addAll(leaks.leftAfter(limits.settle()));
        } finally {
            Folders.delete(root);
        }
        return violations;
    }

    private void runExport(ExportCase one, ToolModule module, Map<String, ToolHandler> handlers)
            throws InterruptedException {
        ToolHandler handler = handlers.get(one.export());
        if (handler == null) {
            violations.add(one.export() + ": has no handler; the module has " + handlers.keySet());
            return;
        }
        for (ObjectNode input : one.inputs())
            reconciles(one.export(), module, input);
        for (ObjectNode input : one.inputs())
            succeeds(one.export() + " " + input, handler, input);
        for (ObjectNode input : one.failingInputs())
            failsWell(one.export() + " " + input, handler, input);
        for (ObjectNode input : one.slowInputs()) {
            endsAfterInterrupt(one.export() + " " + input, handler, input);
            endsAtDeadline(one.export() + " " + input, handler, input);
        }
    }

    /// Reconciles a call that never happened: its worker died between the intent and the handler's start.
    private void reconciles(String export, ToolModule module, ObjectNode input) throws InterruptedException {
        AtomicReference<@Nullable Reconciliation> answer = new AtomicReference<>();
        HandlerRun run = start((ctx, args) -> {
            answer.set(module.reconcile(export, ctx, args));
            return null;
        }, input, limits.success());
        String label = "reconcile of " + export + " " + input;
        if (!run.endsByDeadline(limits.grace())) {
            violations.add(label + ": did not end within " + limits.success() + ", nor when it was interrupted");
            return;
        }
        List<String> found = switch (run.outcome()) {
            case Outcome.Returned returned -> AnswerRules.reconciliation(answer.get(), limits.maxResultBytes());
            case Outcome.Threw(Throwable cause) -> List.of("threw " + cause + "; return unknown instead");
        };
        found.forEach(one -> violations.add(label + ": " + one));
    }

    private void succeeds(String label, ToolHandler handler, ObjectNode input) throws InterruptedException {
        StrayFiles stray = new StrayFiles(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), root);
        int before = violations.size();
        for (int i = 0; i < REPETITIONS && violations.size() == before; i++) {
            stray.beginCall();
            HandlerRun run = start(handler, input, limits.success());
            if (!run.endsByDeadline(limits.grace()))
                violations.add(label + ": did not end within " + limits.success() + ", nor when it was interrupted");
            else
                violations.addAll(judgeSuccess(run.outcome()).stream().map(found -> label + ": " + found).toList());
            stray.endCall();
        }
        if (!stray.left().isEmpty())
            violations.add(label + ": left files outside its workdir: " + stray.left());
    }

    private List<String> judgeSuccess(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Returned(var output) -> AnswerRules.answer(output, limits.maxResultBytes());
            case Outcome.Threw(Throwable cause) -> List.of("failed with " + cause);
        };
    }

    private void failsWell(String label, ToolHandler handler, ObjectNode input) throws InterruptedException {
        HandlerRun run = start(handler, input, limits.success());
        if (!run.endsByDeadline(limits.grace())) {
            violations.add(label + ": did not end within " + limits.success() + ", nor when it was interrupted");
            return;
        }
        List<String> found = switch (run.outcome()) {
            case Outcome.Returned(var output) -> List.of("should have failed but answered " + output);
            case Outcome.Threw(Throwable cause) -> AnswerRules.error(cause);
        };
        found.forEach(one -> violations.add(label + ": " + one));
    }

    private void endsAfterInterrupt(String label, ToolHandler handler, ObjectNode input) throws InterruptedException {
        HandlerRun run = start(handler, input, Duration.ofMinutes(5));
        if (run.endsWithin(limits.untilInterrupt())) {
            violations.add(label + ": ended before it could be interrupted (" + run.outcome()
                    + "); a slow input has to keep the handler busy");
            return;
        }
        run.interrupt();
        if (!run.endsWithin(limits.grace()))
            violations.add(label + ": went on for more than " + limits.grace() + " after it was interrupted");
    }

    private void endsAtDeadline(String label, ToolHandler handler, ObjectNode input) throws InterruptedException {
        HandlerRun run = start(handler, input, limits.untilInterrupt());
        if (!run.endsByDeadline(limits.grace()))
            violations.add(label + ": went on for more than " + limits.grace() + " after its deadline");
        else if (run.outcome() instanceof Outcome.Returned(var output))
            AnswerRules.answer(output, limits.maxResultBytes())
                    .forEach(found -> violations.add(label + ": at its deadline it " + found));
    }

    private HandlerRun start(ToolHandler handler, ObjectNode input, Duration time) {
        try {
            Path workdir = Files.createDirectories(root.resolve("call-" + ++calls).resolve("workdir"));
            setup.prepare(workdir);
            FakeToolContext ctx = FakeToolContext.in(workdir).deadlineIn(time);
            context.accept(ctx);
            return HandlerRun.start(handler, ctx, input.deepCopy());
        } catch (Exception e) {
            throw new IllegalStateException("Cannot prepare a workdir under " + root, e);
        }
    }
}
