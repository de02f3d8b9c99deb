package dev.toolfleet.bench.verdict;

import java.util.Optional;

/// The content of a result.
///
/// @param handle of a pending result; empty for a final one
/// @param error its code; empty for a result that is pending or ok
/// @param output empty when the result has none, or none of the run's tools
/// @param digest of all that must be the same in a replay
public record GivenAnswer(Optional<String> handle, Optional<String> error, Optional<Output> output, String digest) {
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
