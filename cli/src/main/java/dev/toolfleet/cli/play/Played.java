package dev.toolfleet.cli.play;

import java.util.List;

/// Outcome of a script.
///
/// @param missing one sentence for each call that has no final result
/// @param unsent one sentence for each completion, decision or cancellation that was not sent
public record Played(List<String> missing, List<String> unsent) {
    /// Copies both.
    public Played {
        missing = List.copyOf(missing);
        unsent = List.copyOf(unsent);
    }
}
