package dev.toolfleet.worker.identity;

import org.jspecify.annotations.Nullable;

/// Count of results in a row, as the header `toolfleet-loop` of the newest of them.
///
/// @param count the number of times in a row that the call has ended so, from 1
/// @param turn digest of instance, agent and turn
/// @param result digest of the result
public record LoopMark(int count, Digest128 turn, Digest128 result) {
    /// Returns the value of the header: the count and both digests, with a space between them.
    public String text() {
        return count + " " + turn.hex() + " " + result.hex();
    }

    /// Reads a header's value. Returns null for a text that is none: a later version may write another form.
    public static @Nullable LoopMark parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3)
            return null;
        try {
            int count = Integer.parseInt(parts[0]);
            Digest128 turn = Digest128.ofHex(parts[1]);
            Digest128 result = Digest128.ofHex(parts[2]);
            return count < 1 || turn == null || result == null ? null : new LoopMark(count, turn, result);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
