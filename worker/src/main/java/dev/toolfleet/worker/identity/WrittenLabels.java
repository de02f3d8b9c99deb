package dev.toolfleet.worker.identity;

import java.util.List;

import dev.toolfleet.wire.InstanceLabel;

/// Entries of labels that are written with a result.
///
/// @param added labels that the result adds, for the journal
/// @param cleared labels that an operator has cleared, as entries that count no more; on `agent.label` they end
/// @param ended labels whose entries end, since no order can hold any more that cleared them
/// @param published those of `added` that the fleet does not know yet, for `agent.label`
public record WrittenLabels(List<InstanceLabel> added, List<InstanceLabel> cleared, List<InstanceLabel> ended,
        List<InstanceLabel> published) {
    static final WrittenLabels NOTHING = new WrittenLabels(List.of(), List.of(), List.of(), List.of());

    /// Copies the lists.
    public WrittenLabels {
        added = List.copyOf(added);
        cleared = List.copyOf(cleared);
        ended = List.copyOf(ended);
        published = List.copyOf(published);
    }
}
