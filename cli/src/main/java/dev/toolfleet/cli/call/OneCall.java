package dev.toolfleet.cli.call;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Call that `toolfleet call` makes.
///
/// @param tool such as `bash__exec`
/// @param arguments what a model would pass
/// @param instanceKey the conversation
/// @param agent who calls; empty for the fleet's only or entry agent
public record OneCall(String tool, JsonNode arguments, String instanceKey, Optional<String> agent, Duration timeout) {

    /// A call whose arguments are JSON text.
    ///
    /// @throws Failure (invalid) when they are not, and for an instance that no call could have
    public static OneCall of(String tool, String json, String instanceKey, Optional<String> agent, Duration timeout) {
        if (instanceKey.isBlank())
            throw Failure.invalid("--instance is empty; name the conversation that the call belongs to");
        if (instanceKey.length() > ToolCall.MAX_INSTANCE_KEY) {
            throw Failure.invalid("--instance has " + instanceKey.length() + " characters; at most "
                    + ToolCall.MAX_INSTANCE_KEY + " are accepted");
        }
        try {
            return new OneCall(tool, Json.MAPPER.readTree(json), instanceKey, agent, timeout);
        } catch (JacksonException e) {
            throw Failure.invalid("the arguments are not JSON: " + e.getOriginalMessage());
        }
    }

    /// The call in a step of its own.
    ToolCall inStepOf(String agentName) {
        String turn = "cli-" + UUID.randomUUID();
        return ToolCall.of("call-1", tool, arguments, instanceKey).inStep(agentName, turn, turn + "-step-1", 1);
    }
}
