package dev.toolfleet.worker.record;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ValueSchema;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Check of final outputs against the `outputSchema` of exports that declare `validateOutput`.
///
/// **Contract.** It judges an output as it is published: behind every middleware and behind the result guard. So a result
/// with status `ok` of such an export fits its schema. An output that a guard has cut is too large, any other that does not
/// fit is invalid.
///
/// **Threads.** Thread-safe. It has no state.
///
/// **Why.** In front of the guard the check would not hold for what is published, since a guard replaces and cuts text, and
/// its errors could quote text that no guard has seen (decision 86).
public final class OutputCheck {
    /// Lets every output pass.
    public static final OutputCheck NONE = new OutputCheck(run -> Optional.empty());

    private final ExportDeclarations declarations;

    OutputCheck(ExportDeclarations declarations) {
        this.declarations = declarations;
    }

    /// Checks by the declarations of a registry: that of the code which ran, else the present one of the call's tool.
    public static OutputCheck of(ToolRegistry registry) {
        return new OutputCheck(ExportDeclarations.in(registry));
    }

    /// Returns the error for an output; null if it may be published.
    ///
    /// @param output as the guard let it pass
    /// @param facts the guard's changes
    @Nullable
    ToolError error(CallFacts run, JsonNode output, @Nullable GuardFacts facts) {
        ValueSchema schema = declarations.of(run).flatMap(ToolExport::output).orElse(null);
        if (schema == null)
            return null;
        List<String> issues = schema.issues("output", output);
        if (issues.isEmpty())
            return null;
        String tool = "The output of tool '" + run.call().arrival().call().name() + "' ";
        String broken = "breaks its outputSchema: " + String.join("; ", issues);
        if (facts != null && facts.truncated())
            return ToolError.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE, tool + "has " + facts.originalSize()
                    + " characters as JSON and was cut to what its ResultGuard allows. So it " + broken);
        return ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID, tool + broken
                + (facts != null && facts.redacted() ? ". The result guard had replaced text in it" : ""));
    }
}
