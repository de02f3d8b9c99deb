package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.consumer.ConsumerRecord;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Checks of G3: a call that must not happen twice does not, and no result claims without a reason that it may have
/// happened.
final class EffectChecks {
    private final World world;
    private final Map<Integer, List<ToolResult>> results;
    private final List<String> violations = new ArrayList<>();

    EffectChecks(World world, Map<Integer, List<ToolResult>> results) {
        this.world = world;
        this.results = results;
    }

    List<String> violations() {
        nothingHappensTwice();
        whatIsUnknownHadAReason();
        whatIsAnsweredHappened();
        nothingIsLeftOpen();
        return violations;
    }

    private void nothingHappensTwice() {
        Map<String, Integer> starts = new HashMap<>();
        for (History.Start start : world.history.starts) {
            SimCall call = start.call;
            if (call.kind().isJournaled() && !call.canTell())
                starts.merge(call.identity(), 1, Integer::sum);
        }
        Map<String, Integer> allowed = new TreeMap<>();
        Stream.concat(world.history.calls.values().stream(), world.history.lost.stream())
                .filter(call -> call.kind().isJournaled()).forEach(
                        // A call that was written again and whose answer was forgotten is another one.
                        call -> allowed.merge(call.identity(), 1,
                                (before, one) -> world.isForgetful() ? before + one : 1));
        allowed.forEach((call, times) -> {
            if (world.history.forgotten.wasInherited(call))
                return;
            if (starts.getOrDefault(call, 0) > times)
                violations.add("G3 twice: " + call + " started " + starts.get(call) + " times");
            if (world.outside.times(call) > times)
                violations.add("G3 twice: " + call + " happened " + world.outside.times(call) + " times");
        });
    }

    /// A worker that had announced the call was silenced, or was stopped and could wait no longer.
    private void whatIsUnknownHadAReason() {
        results.forEach((partition, all) -> all.forEach(result -> {
            SimCall call = world.history.call(partition, result);
            // A call that was asked once more after its record was lost may have an open intent that no owner answers.
            if (call == null || result.replayed() || !isUnknown(result) || world.history.isLost(call.identity())
                    || world.history.forgotten.isDoubtful(call))
                return;
            if (world.calm)
                violations.add("G3 unknown: " + call.key() + " although nothing went wrong");
            if (announcers(call).stream().noneMatch(world.cluster.group::wasSilenced)
                    && world.history.starts.stream().noneMatch(start -> start.call.identity().equals(call.identity())
                            && (start.interrupted || start.lostMembership)))
                violations.add("G3 unknown: " + call.key() + " although nobody who ran it was silenced");
        }));
    }

    private void whatIsAnsweredHappened() {
        results.forEach((partition, all) -> all.forEach(result -> {
            SimCall call = world.history.call(partition, result);
            if (call != null && Checks.code(result).equals(SimHandler.REFUSED))
                violations.add("G3 refused: " + call.key() + " got the answer of a start that came too late");
            boolean mayWait = call != null && call.kind().asks() && !result.isFinal();
            if (call != null && result.error() == null && !mayWait && !world.outside.hasHappened(call.identity()))
                violations.add("G3 never: " + call.key() + " is answered and did not happen");
        }));
    }

    /// The writer owned the partition, and its heirs knew of the entry. A handle is closed by its outcome.
    private void nothingIsLeftOpen() {
        for (int partition = 0; partition < world.cluster.partitions; partition++) {
            Map<String, ConsumerRecord<byte[], byte[]>> open = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : world.cluster.log(Topic.JOURNAL, partition).committed())
                open.put(new String(record.key(), UTF_8), record);
            open.values().stream().filter(record -> record.value() != null && !isOfLost(record.value())).forEach(
                    record -> violations.add("G3 left open: " + JournalEntry.read(record.value())));
        }
    }

    /// True if an entry belongs to a call whose record is gone: no caller waits for it any more.
    private boolean isOfLost(byte[] entry) {
        return switch (JournalEntry.read(entry)) {
            case CallIntent intent -> world.history.lost.stream().anyMatch(call -> isOf(world, intent, call));
            case OpenHandle handle -> world.history.isLost(handle.identity()) || isEnded(handle);
            case PartitionFrontier _,PartitionOwner _,InstanceLabel _,SpentBudget _ -> true;
        };
    }

    /// True if a call whose results were forgotten has run again, and waits for a handle that had ended.
    private boolean isEnded(OpenHandle handle) {
        return world.history.calls.values().stream().anyMatch(call -> call.identity().equals(handle.identity())
                && world.history.forgotten.isDoubtful(call)
                && world.history.endings.containsKey(call.mark() + handle.handle()));
    }

    private static boolean isUnknown(ToolResult result) {
        return Checks.code(result).equals(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name());
    }

    /// Under its own name, or that of an approval.
    static boolean isOf(World world, CallIntent intent, SimCall call) {
        CallIdentity identity = new CallIdentity(call.identity());
        return intent.identity().equals(call.identity()) || world.history.approved
                .getOrDefault(call.mark(), Set.of()).stream()
                .anyMatch(handle -> intent.identity().equals(identity.resumedBy(handle).text()));
    }

    private Set<String> announcers(SimCall call) {
        Set<String> members = new TreeSet<>();
        for (ConsumerRecord<byte[], byte[]> record : world.cluster.log(Topic.JOURNAL, call.partition()).committed()) {
            if (record.value() != null && JournalEntry.read(record.value()) instanceof CallIntent intent
                    && isOf(world, intent, call) && intent.decider() != null)
                members.add(intent.decider());
        }
        return members;
    }
}
