package dev.toolfleet.tool;

import org.jspecify.annotations.Nullable;

/// Answer of a module to a poll of pending work ([ToolModule#poll]).
public sealed interface PollAnswer {
    /// The work goes on.
    ///
    /// @param percent from 0 to 100; null when unknown
    /// @param message for people; null for none
    record Running(@Nullable Double percent, @Nullable String message) implements PollAnswer {}

    /// The work is done.
    ///
    /// @param output the call's final output: a JSON tree, record, map, list, text, number, boolean or null
    record Completed(@Nullable Object output) implements PollAnswer {}

    /// The work failed.
    ///
    /// @param error the error for the model
    record Failed(ToolException error) implements PollAnswer {}

    /// Answers that the work goes on; the next poll comes later.
    static PollAnswer running() {
        return new Running(null, null);
    }

    /// Answers that the work goes on, with its progress.
    static PollAnswer running(@Nullable Double percent, @Nullable String message) {
        return new Running(percent, message);
    }

    /// Answers that the work is done.
    static PollAnswer completed(@Nullable Object output) {
        return new Completed(output);
    }

    /// Answers that the work failed.
    static PollAnswer failed(ToolException error) {
        return new Failed(error);
    }
}
