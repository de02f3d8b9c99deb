package dev.toolfleet.client.turn;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Start of a turn: one request of a user, with all steps that it takes.
///
/// @param instanceKey the conversation; its calls run in order
/// @param turnId the turn; unique within the conversation
/// @param userId the person for whom the agent acts; null when it is not known
/// @param channelId the channel of that person; null when it is not known
public record TurnStart(String instanceKey, String turnId, @Nullable String userId, @Nullable String channelId) {
    /// Checks that the turn can be named.
    public TurnStart {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(turnId, "turnId");
    }

    /// A turn for a user who is not known.
    public static TurnStart of(String instanceKey, String turnId) {
        return new TurnStart(instanceKey, turnId, null, null);
    }
}
