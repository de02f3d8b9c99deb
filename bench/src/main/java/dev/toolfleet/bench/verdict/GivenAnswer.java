package dev.toolfleet.bench.verdict;

import java.util.Optional;

import dev.toolfleet.bench.effect.EffectLayer;
import dev.toolfleet.bench.effect.EffectTools;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The content of a result.
///
/// @param handle of a pending result; empty for a final one
/// @param error its code; empty for a result that is pending or ok
/// @param output empty when the result has none, or none of the run's tools
/// @param digest of all that must be the same in a replay
public record GivenAnswer(Optional<String> handle, Optional<String> error, Optional<Output> output, String digest) {
    /// Reads a result.
    public static GivenAnswer of(ToolResult result) {
        ObjectNode said = Json.MAPPER.createObjectNode().put("status", result.status().name())
                .put("handle", result.handle());
        said.set("output", result.output());
        said.set("error", Json.MAPPER.valueToTree(result.error()));
        return new GivenAnswer(result.isFinal() ? Optional.empty() : Optional.of(String.valueOf(result.handle())),
                Optional.ofNullable(result.error()).map(ToolError::code), output(result.output()),
                Digests.sha256(Json.MAPPER.writeValueAsBytes(said)));
    }

    private static Optional<Output> output(@Nullable JsonNode output) {
        if (output == null || output.isNull())
            return Optional.empty();
        return Optional.of(new Output(output.path(EffectTools.CALL).asString(""),
                output.path(EffectTools.TEXT).asString("").length(), output.path(EffectLayer.LAYERS).asInt(0)));
    }

    /// An output of the run's tools.
    ///
    /// @param call the id in it
    /// @param bytes the length of its text
    /// @param layers how often it passed the middleware
    public record Output(String call, int bytes, int layers) {}

    /// True if no other result of the call follows.
    public boolean last() {
        return handle.isEmpty();
    }

    /// True if the call was done.
    public boolean ok() {
        return last() && error.isEmpty();
    }
}
