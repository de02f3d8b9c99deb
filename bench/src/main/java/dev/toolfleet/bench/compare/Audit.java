package dev.toolfleet.bench.compare;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.bench.engine.ComparedTool;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Goes through the results of a run in the order in which they stand on their topic.
final class Audit {
    private final int calls;
    private final BitSet answered;
    private final Map<String, Integer> newest = new HashMap<>();
    private int duplicates;
    private int disordered;
    private int wrong;

    /// @param calls how many were written, numbered from 0
    Audit(int calls) {
        this.calls = calls;
        this.answered = new BitSet(calls);
    }

    void see(ToolResult result) {
        int number = number(result.toolCallId());
        if (number < 0 || number >= calls || result.status() != ResultStatus.OK || !says(result.output(), number))
            wrong++;
        if (number < 0 || number >= calls)
            return;
        if (answered.get(number)) {
            duplicates++;
            return;
        }
        answered.set(number);
        int before = newest.merge(result.instanceKey(), number, Math::max);
        if (before > number)
            disordered++;
    }

    private static boolean says(@Nullable JsonNode output, int number) {
        return output != null && output.path(ComparedTool.NUMBER).asInt(-1) == number;
    }

    /// Number in the id of a call of [dev.toolfleet.bench.engine.ComparedCalls]; -1 for another id.
    static int number(String callId) {
        return callId.matches("call-\\d{1,9}") ? Integer.parseInt(callId.substring("call-".length())) : -1;
    }

    AnswerVerdict verdict() {
        return new AnswerVerdict(calls - answered.cardinality(), duplicates, disordered, wrong);
    }
}
