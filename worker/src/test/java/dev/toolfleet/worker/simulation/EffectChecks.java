package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// G3: what must not happen twice does not, and nobody says that it may have happened without a reason.
final class EffectChecks {
    private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);

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
        noIntentIsLeftOpen();
        return violations;
    }

    private void nothingHappensTwice() {
        Map<String, Integer> starts = new HashMap<>();
        for (History.Start start : world.history.starts) {
            if (start.call.kind() == SimCall.Kind.ONCE)
                starts.merge(start.call.identity(), 1, Integer::sum);
        }
        starts.forEach((call, times) -> {
            if (times > 1)
                violations.add("G3 twice: " + call + " started " + times + " times");
        });
        Set<String> journaled = new TreeSet<>();
        world.history.calls.values().stream().filter(call -> call.kind().isJournaled())
                .forEach(call -> journaled.add(call.identity()));
        for (String call : journaled) {
            if (world.outside.times(call) > 1)
                violations.add("G3 twice: " + call + " happened " + world.outside.times(call) + " times");
        }
    }

    /// A worker that had announced the call was silenced, or was stopped and could wait no longer.
    private void whatIsUnknownHadAReason() {
        results.forEach((partition, all) -> all.forEach(result -> {
            SimCall call = world.history.call(partition, result.callOffset());
            if (call == null || result.replayed() || !isUnknown(result))
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
            SimCall call = world.history.call(partition, result.callOffset());
            if (call != null && Checks.code(result).equals(SimHandler.REFUSED))
                violations.add("G3 refused: " + call.key() + " got the answer of a start that came too late");
            if (call != null && result.error() == null && !world.outside.hasHappened(call.identity()))
                violations.add("G3 never: " + call.key() + " is answered and did not happen");
        }));
    }

    /// Whoever wrote it owned the partition, and its heirs knew of it.
    private void noIntentIsLeftOpen() {
        for (int partition = 0; partition < world.cluster.partitions; partition++) {
            Map<String, ConsumerRecord<byte[], byte[]>> open = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : world.cluster.log(Topic.JOURNAL, partition).committed())
                open.put(new String(record.key(), UTF_8), record);
            open.values().stream().filter(record -> record.value() != null).forEach(
                    record -> violations.add("G3 left open: " + INTENTS.read(record.value())));
        }
    }

    private static boolean isUnknown(ToolResult result) {
        return Checks.code(result).equals(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name());
    }

    private Set<String> announcers(SimCall call) {
        Set<String> members = new TreeSet<>();
        for (ConsumerRecord<byte[], byte[]> record : world.cluster.log(Topic.JOURNAL, call.partition()).committed()) {
            @Nullable
            CallIntent intent = record.value() == null ? null : INTENTS.read(record.value());
            if (intent != null && intent.identity().equals(call.identity()) && intent.member() != null)
                members.add(intent.member());
        }
        return members;
    }
}
