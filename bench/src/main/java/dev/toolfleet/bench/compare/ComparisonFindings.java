package dev.toolfleet.bench.compare;

import java.util.List;

/// Findings of a comparison.
///
/// @param summary the medians, for people
/// @param notes what has to be known beside them, a sentence each
/// @param measured every measurement, for other programs
/// @param kept whether every call had its one right answer, in order, and what else the comparison promises was so
public record ComparisonFindings(Table summary, List<String> notes, Table measured, boolean kept) {
    /// Copies the list.
    public ComparisonFindings {
        notes = List.copyOf(notes);
    }
}
