package dev.toolfleet.bench.crash;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.verdict.CallFact;
import dev.toolfleet.bench.verdict.Written;

/// The caller's own book of its calls: those that were written, and where the broker put each record. It outlives the
/// topic. Thread-safe.
final class CallLedger {
    private final Map<String, PlannedCall> calls = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();

    /// A record that was acknowledged.
    record Entry(String callId, int partition, Written written) {}

    /// The call is about to be written.
    void sent(PlannedCall call) {
        calls.put(call.id(), call);
    }

    /// A record of the call has its place.
    void acknowledged(Entry entry) {
        entries.add(entry);
    }

    /// The call of that id; empty when none was written.
    Optional<PlannedCall> call(String id) {
        return Optional.ofNullable(calls.get(id));
    }

    /// All calls with an acknowledged record.
    List<CallFact> facts() {
        Map<String, List<Entry>> byCall = new ConcurrentHashMap<>();
        entries.forEach(entry -> byCall.computeIfAbsent(entry.callId(), id -> new ArrayList<>()).add(entry));
        List<CallFact> facts = new ArrayList<>();
        byCall.forEach((id, its) -> call(id).ifPresent(call -> facts.add(new CallFact(id, call.instance(),
                its.getFirst().partition(), call.work(),
                its.stream().map(Entry::written).sorted(Comparator.naturalOrder()).toList()))));
        return facts;
    }

    /// Acknowledged records of this topic that are not where the broker put them.
    ///
    /// @param topic how many of its name were deleted before
    /// @param found ids of calls by [#place]
    List<String> gone(int topic, Map<String, String> found) {
        return entries.stream().filter(entry -> entry.written().topic() == topic)
                .filter(entry -> !entry.callId()
                        .equals(found.get(place(entry.partition(), entry.written().offset()))))
                .map(entry -> entry.callId() + ", " + place(entry.partition(), entry.written().offset())).sorted()
                .toList();
    }

    /// A place in the topic.
    static String place(int partition, long offset) {
        return "partition " + partition + " offset " + offset;
    }
}
