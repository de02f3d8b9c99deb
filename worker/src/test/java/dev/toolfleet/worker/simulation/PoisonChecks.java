package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// No call kills a third worker, and no call is ended for that which two workers did not take with them (decision 55).
final class PoisonChecks {
    private static final int MOST_DEATHS = 2;

    private final World world;
    private final Map<Integer, List<ToolResult>> results;
    private final List<String> violations = new ArrayList<>();

    PoisonChecks(World world, Map<Integer, List<ToolResult>> results) {
        this.world = world;
        this.results = results;
    }

    List<String> violations() {
        world.history.kills.forEach((call, times) -> {
            // A call whose result is gone together with the offsets begins once more, and so do its deaths.
            if (times > MOST_DEATHS && !world.history.forgotten.isDoubtful(call))
                violations.add("poison: " + call.mark() + " has killed " + times + " workers");
        });
        results.forEach((partition, all) -> all.forEach(this::hadTwoDeaths));
        return violations;
    }

    /// A call that may run again ends as unknown only for this reason. Its last worker had noted that it takes the call
    /// after a death, and was silenced; so was an owner of the partition before.
    private void hadTwoDeaths(ToolResult result) {
        for (SimCall call : world.history.calls.values()) {
            if (call.offset() != result.callOffset() || !call.id().equals(result.toolCallId())
                    || call.kind().isJournaled() || result.replayed()
                    || !Checks.code(result).equals(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name())
                    || world.history.isLost(call.identity()))
                continue;
            Set<String> silenced = new TreeSet<>();
            boolean noted = false;
            for (ConsumerRecord<byte[], byte[]> record : world.cluster.log(Topic.JOURNAL, call.partition())
                    .committed()) {
                if (record.value() == null)
                    continue;
                switch (JournalEntry.read(record.value())) {
                    case CallIntent intent when EffectChecks.isOf(world, intent, call)
                            && isSilenced(intent.decider()) -> {
                        silenced.add(String.valueOf(intent.decider()));
                        noted |= intent.deathsBefore() == MOST_DEATHS - 1;
                    }
                    case PartitionOwner owner when isSilenced(owner.member()) -> silenced.add(owner.member());
                    default -> {
                    }
                }
            }
            if (!noted || silenced.size() < MOST_DEATHS)
                violations.add("poison: " + call.key() + " was ended although fewer than two workers died with it: "
                        + silenced);
        }
    }

    private boolean isSilenced(@Nullable String member) {
        return member != null && world.cluster.group.wasSilenced(member);
    }
}
