package dev.toolfleet.worker.identity;

import dev.toolfleet.json.CanonicalText;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Key under which the results of a call are counted.
///
/// **Why.** MCP clients know no turns, so the gateway gives all their calls one that never ends. Its steps last a minute
/// each, so there the step stands for the turn. Otherwise: a client that looks at a status every hour is refused for
/// ever.
///
/// @param turn digest of instance, agent and turn
/// @param call digest of tool and arguments, as the caller sent them
public record LoopKey(Digest128 turn, Digest128 call) {
    /// Returns the key of a call; null for a call without a turn, which has no end of its turn either.
    static @Nullable LoopKey of(ToolCall sent, Digest128 call) {
        String turn = sent.turnId();
        if (turn == null)
            return null;
        CanonicalText text = new CanonicalText(128).raw("[").string(sent.instanceKey()).raw(",");
        String agent = sent.agentName();
        if (agent == null)
            text.raw("null");
        else
            text.string(agent);
        text.raw(",").string(turn);
        String step = sent.stepId();
        if (turn.equals(ToolCall.ENDLESS_TURN) && step != null)
            text.raw(",").string(step);
        return new LoopKey(Digest128.ofSha256(text.raw("]").digest()), call);
    }
}
