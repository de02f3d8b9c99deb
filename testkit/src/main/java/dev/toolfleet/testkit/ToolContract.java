package dev.toolfleet.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolModule;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Contract of every tool. A tool must answer in JSON and within a size, and fail with a code and a message. It must
/// end soon after an interrupt and at its deadline. It must answer a reconciliation of a call that never happened. It
/// must leave no thread, process, open file or stray file behind once its module is closed.
///
/// ```java
/// ToolContract.of(Shell::new).export("exec")
///         .input("{'command': 'echo hi'}").slowInput("{'command': 'sleep 60'}")
///         .failingInput("{'command': 'x', 'cwd': 'none'}")
///         .verify();
/// ```
///
/// It needs no test framework. Inputs are JSON text; single quotes may stand for double ones. Every input runs in a
/// workdir of its own. Threads of other tests that start meanwhile in this JVM count as the tool's, so run a contract
/// on its own.
public final class ToolContract {
    private final Supplier<? extends ToolModule> module;
    private final List<ExportCase> cases = new ArrayList<>();
    private ObjectNode config = Json.MAPPER.createObjectNode();
    private WorkdirSetup workdir = folder -> {};
    private Consumer<FakeToolContext> context = ctx -> {};
    private ContractLimits limits = ContractLimits.DEFAULT;
    private @Nullable Path folder;

    private ToolContract(Supplier<? extends ToolModule> module) {
        this.module = module;
    }

    /// Makes a contract for the modules of the supplier.
    public static ToolContract of(Supplier<? extends ToolModule> module) {
        return new ToolContract(module);
    }

    /// Sets the module's `spec.config`.
    public ToolContract config(String json) {
        this.config = object(json);
        return this;
    }

    /// Sets the folder in which workdirs are made; a new temporary one by default.
    public ToolContract folder(Path root) {
        this.folder = root;
        return this;
    }

    /// Sets the preparation of each new workdir before a handler runs in it.
    public ToolContract workdir(WorkdirSetup setup) {
        this.workdir = setup;
        return this;
    }

    /// Sets the rest of handlers' contexts beside workdir and deadline, such as `ctx -> ctx.runtime(new
    /// FakeAgentRuntime(…))`.
    public ToolContract context(Consumer<FakeToolContext> setup) {
        this.context = setup;
        return this;
    }

    /// Sets the largest answer in bytes of JSON; 1 MiB by default.
    public ToolContract maxResultBytes(int bytes) {
        this.limits = limits.withMaxResultBytes(bytes);
        return this;
    }

    /// Sets the longest time of a handler after an interrupt; 2 s by default, as in the fleet.
    public ToolContract grace(Duration time) {
        this.limits = limits.withGrace(time);
        return this;
    }

    /// Sets the time after which a slow input is interrupted, or its deadline comes; 300 ms by default.
    public ToolContract interruptAfter(Duration time) {
        this.limits = limits.withUntilInterrupt(time);
        return this;
    }

    /// Names the export to which the inputs that follow belong.
    public ToolContract export(String name) {
        cases.add(new ExportCase(name, new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
        return this;
    }

    /// Adds arguments that succeed within ten seconds.
    public ToolContract input(String json) {
        current().inputs().add(object(json));
        return this;
    }

    /// Adds arguments that keep the handler busy for many seconds: it will be interrupted.
    public ToolContract slowInput(String json) {
        current().slowInputs().add(object(json));
        return this;
    }

    /// Adds arguments that make the handler fail.
    public ToolContract failingInput(String json) {
        current().failingInputs().add(object(json));
        return this;
    }

    /// Runs all inputs.
    ///
    /// @throws AssertionError that lists every violation
    /// @throws IllegalStateException if there is nothing to run
    public void verify() throws InterruptedException {
        List<String> violations = violations();
        if (!violations.isEmpty())
            throw new AssertionError("The tool breaks its contract in " + violations.size() + " way(s):\n  - "
                    + String.join("\n  - ", violations));
    }

    /// Runs all inputs, and returns every violation, as text for people.
    ///
    /// @throws IllegalStateException if there is nothing to run
    public List<String> violations() throws InterruptedException {
        if (cases.isEmpty())
            throw new IllegalStateException("Name an export and its inputs first: .export(\"exec\").input(\"{…}\")");
        return new ContractRun(module, config, workdir, context, limits, Folders.contract(folder)).run(cases);
    }

    private ExportCase current() {
        if (cases.isEmpty())
            throw new IllegalStateException("Name the export of this input first: .export(\"exec\")");
        return cases.getLast();
    }

    private static ObjectNode object(String json) {
        try {
            JsonNode node = ContractJson.LENIENT.readTree(json);
            if (node instanceof ObjectNode object)
                return object;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("Not JSON: " + json, e);
        }
        throw new IllegalArgumentException("Not a JSON object: " + json);
    }

    /// Prepares a workdir.
    @FunctionalInterface
    public interface WorkdirSetup {
        /// Puts files into a new, empty workdir.
        void prepare(Path workdir) throws Exception;
    }

    /// One export and its inputs.
    record ExportCase(String export, List<ObjectNode> inputs, List<ObjectNode> slowInputs,
            List<ObjectNode> failingInputs) {}
}
