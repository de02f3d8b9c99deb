package dev.toolfleet.cli.backtest;

import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// Reader of the labels that past results have added, by the rules of workers (`docs/labels.md`), as far as a result shows
/// which of them applies. One thread.
final class HistoryReader {
    /// The most remembered tools; then they are forgotten together.
    private static final int MOST_KNOWN = 50_000;

    private final CalledTools before;
    private final CalledTools after;
    private final LabelHistory history;
    private final Map<ToolOfAgent, PastLabels> known = new HashMap<>();

    private record ToolOfAgent(@Nullable String agent, String tool) {}

    HistoryReader(PolicyPair policies, LabelHistory history) {
        before = new CalledTools(policies.before());
        after = new CalledTools(policies.after());
        this.history = history;
    }

    /// Notes the labels that a result adds.
    void result(ConsumerRecord<byte[], byte[]> record) {
        byte @Nullable [] value = record.value();
        PastResult result = PastResult.read(value);
        if (value == null || result == null || !result.isFromTool(value))
            return;
        String instance = result.instanceKey();
        String tool = result.toolName();
        long offset = PastResult.callOffset(record);
        if (instance != null && tool != null && offset != PastResult.NO_CALL)
            history.add(record.partition(), instance, record.timestamp(), offset,
                    adds(new ToolOfAgent(result.agentName(), tool)));
    }

    private PastLabels adds(ToolOfAgent caller) {
        PastLabels found = known.get(caller);
        if (found == null) {
            found = new PastLabels(before.adds(caller.agent(), caller.tool()),
                    after.adds(caller.agent(), caller.tool()));
            if (known.size() >= MOST_KNOWN)
                known.clear();
            known.put(caller, found);
        }
        return found;
    }
}
