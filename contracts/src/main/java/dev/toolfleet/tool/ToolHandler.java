package dev.toolfleet.tool;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ObjectNode;

/// Handler of one export. Called on a virtual thread of its own, many at a time. A handler may block, must not keep
/// state of one call for another, and should end soon after an interrupt.
@FunctionalInterface
public interface ToolHandler {
    /// Does the work.
    ///
    /// @param ctx the call's context, with caller and deadline
    /// @param input the arguments, already checked against the export's schema; defaults are not filled in
    /// @return the answer; null counts as JSON null
    /// @throws Exception anything: it becomes an error result. A [ToolException] carries the text for the model
    @Nullable
    ToolOutput handle(ToolContext ctx, ObjectNode input) throws Exception;

    /// Makes a handler over a record: arguments are mapped to `type` by name, and the return value is mapped to JSON.
    ///
    /// @throws ToolException (when called) with `E_TOOL_INVALID_ARGS` if the arguments do not fit the record
    static <T> ToolHandler typed(Class<T> type, Typed<T> work) {
        ObjectReader reader = Json.MAPPER.readerFor(type);
        return (ctx, input) -> ToolOutput.of(work.handle(ctx, type.cast(read(reader, input))));
    }

    private static Object read(ObjectReader reader, ObjectNode input) {
        try {
            return reader.readValue(input);
        } catch (JacksonException e) {
            throw new ToolException("E_TOOL_INVALID_ARGS", "Invalid arguments: " + e.getOriginalMessage());
        }
    }

    /// Work on a typed input.
    ///
    /// @param <T> the input's record
    @FunctionalInterface
    interface Typed<T> {
        /// Does the work; the value becomes JSON, and a [ToolOutput] is taken unchanged.
        @Nullable
        Object handle(ToolContext ctx, T input) throws Exception;
    }
}
