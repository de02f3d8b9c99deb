package dev.toolfleet.session.transcript;

import java.util.List;

/// Findings of a repair, and the fate of each entry that it touched.
///
/// @param corruptions the faults, by index
/// @param added results that were inserted, synthetic or known to the fleet
/// @param moved results that were moved behind their call
/// @param droppedDuplicate entries that stood twice
/// @param droppedCalls unanswered calls of unfinished assistant entries, which were taken out of them
/// @param quarantined entries that the model is not shown; nothing else of them is kept
public record RepairReport(List<Corruption> corruptions, int added, int moved, int droppedDuplicate, int droppedCalls,
        List<Entry> quarantined) {
    /// Freezes the lists.
    public RepairReport {
        corruptions = List.copyOf(corruptions);
        quarantined = List.copyOf(quarantined);
    }

    /// True when the transcript had no fault.
    public boolean isClean() {
        return corruptions.isEmpty();
    }
}
