package dev.toolfleet.tool;

import org.jspecify.annotations.Nullable;

/// What a module finds when it is asked for the outcome of pending work ([ToolModule#poll]).
public sealed interface PollAnswer {
    /// The work goes on.
    ///
    /// @param percent from 0 to 100; null when nobody knows
    /// @param message for people; null for none
    record Running(@Nullable Double percent, @Nullable String message) implements PollAnswer {}

    /// The work is done.
    ///
    /// @param output the call's final output: a JSON tree, record, map, list, text, number, boolean or null
    record Completed(@Nullable Object output) implements PollAnswer {}

    /// The work failed.
    ///
    /// @param error what the model is told
    record Failed(ToolException error) implements PollAnswer {}

    /// The work goes on; the next question comes later.
    static PollAnswer running() {
        return new Running(null, null);
    }

    /// The work goes on and says how far it is.
    static PollAnswer running(@Nullable Double percent, @Nullable String message) {
        return new Running(percent, message);
    }

    /// The work is done.
    static PollAnswer completed(@Nullable Object output) {
        return new Completed(output);
    }

    /// The work failed.
    static PollAnswer failed(ToolException error) {
        return new Failed(error);
    }
}
