package dev.toolfleet.cli.contract;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.bundle.ValueSchema;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Module of a Tool. Compares each call with the Tool's declaration and with its case.
///
/// **Contract.** Arguments that do not fit reach no handler, as in a worker. A `readOnly` export leaves the workdir as
/// it was. An `idempotent` export that is called again with the same idempotency key leaves the workdir as it is and
/// gives the same output.
///
/// **Threads.** Any.
final class DeclaredModule implements ToolModule {
    private final ToolModule module;
    private final ToolSpec spec;
    private final Collection<ContractCase> cases;
    private final Set<String> broken;

    /// @param cases of this Tool
    /// @param broken receives each difference once, from several threads
    DeclaredModule(ToolModule module, ToolSpec spec, Collection<ContractCase> cases, Set<String> broken) {
        this.module = module;
        this.spec = spec;
        this.cases = cases;
        this.broken = broken;
    }

    @Override
    public void configure(ObjectNode config) {
        module.configure(config);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        Map<String, ToolHandler> handlers = new HashMap<>(module.handlers());
        for (ToolExport export : spec.exports())
            handlers.computeIfPresent(export.name(),
                    (name, handler) -> (ctx, input) -> call(export, handler, ctx, input));
        return handlers;
    }

    @Override
    public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) throws Exception {
        return module.reconcile(export, context, input);
    }

    @Override
    public void close() {
        module.close();
    }

    private @Nullable ToolOutput call(ToolExport export, ToolHandler handler, ToolContext ctx, ObjectNode input)
            throws Exception {
        Optional<ContractCase> known = cases.stream()
                .filter(each -> each.name().equals(spec.fullName(export)) && each.args().equals(input)).findFirst();
        try {
            checkArguments(export, input);
            if (known.isEmpty() || known.get().slow())
                return handler.handle(ctx, input);
            return new Checked(export, known.get(), handler, ctx, input).call();
        } catch (ToolException e) {
            known.flatMap(ContractCase::fails).filter(code -> !code.equals(e.code())).ifPresent(code -> broken
                    .add(at(export, input) + "fails with " + e.code() + " (" + e.getMessage() + ") instead of "
                            + code));
            throw e;
        }
    }

    private static void checkArguments(ToolExport export, ObjectNode input) {
        List<String> issues = new ValueSchema(export.parameters()).issues("args", input);
        if (!issues.isEmpty())
            throw new ToolException("E_TOOL_INVALID_ARGS",
                    "the arguments do not fit `parameters`: " + String.join("; ", issues));
    }

    private static String at(ToolExport export, ObjectNode input) {
        return export.name() + " " + input + ": ";
    }

    /// One call that is to succeed, and its repetition.
    private final class Checked {
        private final ToolExport export;
        private final ContractCase expected;
        private final ToolHandler handler;
        private final ToolContext ctx;
        private final ObjectNode input;

        Checked(ToolExport export, ContractCase expected, ToolHandler handler, ToolContext ctx, ObjectNode input) {
            this.export = export;
            this.expected = expected;
            this.handler = handler;
            this.ctx = ctx;
            this.input = input;
        }

        ToolOutput call() throws Exception {
            Path workdir = ctx.workdir();
            WorkdirState before = WorkdirState.of(workdir);
            ToolOutput output = handled();
            WorkdirState after = WorkdirState.of(workdir);
            if (export.annotations().readOnly() && !after.equals(before))
                note("is declared readOnly, and changed in its workdir: " + before.changes(after));
            if (output instanceof ToolOutput.Value value)
                compare(json(value));
            if (export.annotations().idempotent())
                again(output, after);
            return output;
        }

        /// Calls the handler, whose null stands for the value null.
        private ToolOutput handled() throws Exception {
            return Objects.requireNonNullElseGet(handler.handle(ctx, input.deepCopy()), () -> ToolOutput.of(null));
        }

        private void compare(JsonNode output) {
            export.output().ifPresent(schema -> {
                List<String> issues = schema.issues("output", output);
                if (!issues.isEmpty())
                    note("the output does not fit `outputSchema`: " + String.join("; ", issues));
            });
            if (expected.output() != null && !expected.output().equals(output))
                note("the output is " + output + ", and line " + expected.line() + " says " + expected.output());
        }

        private void again(ToolOutput first, WorkdirState after) throws Exception {
            ToolOutput second = handled();
            WorkdirState repeated = WorkdirState.of(ctx.workdir());
            if (!repeated.equals(after))
                note("is declared idempotent, and a repeated call changed in its workdir: " + after.changes(repeated));
            if (!expected.varies() && first instanceof ToolOutput.Value one && second instanceof ToolOutput.Value other
                    && !json(one).equals(json(other)))
                note("is declared idempotent, and a repeated call had another output: " + json(one) + ", then "
                        + json(other) + "; if that is right, say \"varies\": true");
        }

        private void note(String text) {
            broken.add(at(export, input) + text);
        }

        private static JsonNode json(ToolOutput.Value output) {
            return Json.MAPPER.valueToTree(Objects.requireNonNullElse(output.value(),
                    Json.MAPPER.nullNode()));
        }
    }
}
