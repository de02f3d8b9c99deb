package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.call.ApprovalQuestion;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.WrittenLabels;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Labels that results add to their instances (`docs/labels.md`). Errors and pending results add them, too: their texts
/// come from the same place. Results that the fleet itself makes, such as a denial, add none. Thread-safe.
record ResultLabels(JournalRecords journal, SentLabels fleet, InstantSource clock) {
    /// Notes the labels with the partition's state, and returns their entries for the journal and for the fleet.
    ///
    /// Must come before the outcome is handed on. Otherwise: the result is committed, the model reads it and calls, and
    /// that call is ruled without the label.
    List<ProducerRecord<byte[], byte[]>> of(CallFacts run) {
        PartitionState state = run.state();
        if (state == null)
            return List.of();
        ToolCall call = run.call().arrival().call();
        Set<String> adds = isFromTool(run, state) ? added(run) : Set.of();
        WrittenLabels written = state.labels().add(call.instanceKey(), adds.isEmpty()
                ? List.of()
                : new TreeSet<>(adds).stream().map(label -> new AddedLabel(label, call.name(), call.id(),
                        run.call().arrival().position().offset(), call.instanceKey())).toList(),
                clock.instant());
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(journal.labels(run, written));
        records.addAll(fleet.published(written));
        return records;
    }

    /// True if its text comes from the tool's code, or from the work that it began, or shows files that the tool has read
    /// for the person who is asked.
    private static boolean isFromTool(CallFacts run, PartitionState state) {
        ApprovalQuestion asking = run.asking();
        return run.ran() || run.isAnnounced() || (asking != null && asking.approval().operands() != null)
                || (run.waitedFor() != null && run.grant() == null && state.awaitsWork(run.call()));
    }

    private static Set<String> added(CallFacts run) {
        RegisteredTool tool = run.tool();
        return ToolExport.addedBy(tool == null ? null : tool.export());
    }
}
