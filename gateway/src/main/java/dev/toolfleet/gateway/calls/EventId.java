package dev.toolfleet.gateway.calls;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Id of an event of a call: the part of each topic that a reader has seen with it, as `{progress}.{result}`. Each
/// number is the offset behind the call's latest seen record of `tool.progress` or `tool.result`; 0 for none.
///
/// **Why.** Two topics have no common order that survives a lost store. A reader that resumes with this id misses no
/// record and gets none twice, whatever order the read model has read the topics in.
///
/// @param progress offset behind the latest seen progress
/// @param result offset behind the latest seen result, pending or final
public record EventId(long progress, long result) {
    /// Id of the event `accepted`, the first of a call.
    public static final EventId ACCEPTED = new EventId(0, 0);

    private static final Pattern FORM = Pattern.compile("(0|[1-9]\\d{0,18})\\.(0|[1-9]\\d{0,18})");
    private static final int QUOTED = 60;

    /// Checks the offsets.
    ///
    /// @throws IllegalArgumentException for a negative number
    public EventId {
        if (progress < 0 || result < 0)
            throw new IllegalArgumentException("an event id has no negative numbers: " + progress + "." + result);
    }

    /// Reads an id.
    ///
    /// @throws IllegalArgumentException naming the text and the expected form
    public static EventId parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            try {
                return new EventId(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
            } catch (NumberFormatException e) {
                // A number beyond its type; reported below.
            }
        }
        throw new IllegalArgumentException("'" + (text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…")
                + "' is no event id: {progress}.{result} expected, as the stream sent it, such as 42.18");
    }

    /// Returns the id of a reader that has also seen the progress at this offset.
    public EventId withProgress(long offset) {
        return new EventId(Math.max(progress, offset + 1), result);
    }

    /// Returns the id of a reader that has also seen the result at this offset.
    public EventId withResult(long offset) {
        return new EventId(progress, Math.max(result, offset + 1));
    }

    /// Returns `{progress}.{result}`.
    @Override
    public String toString() {
        return progress + "." + result;
    }
}
