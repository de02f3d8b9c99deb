package dev.toolfleet.bench.pending;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;

/// Answers to each call of a run: its handle, a word of its work, its final results. Calls are numbered from 0.
final class Tally {
    private static final String PREFIX = "call-";

    private final List<String> handles = new ArrayList<>();
    private final BitSet pending = new BitSet();
    private final BitSet heard = new BitSet();
    private final BitSet failed = new BitSet();
    private int[] finals = new int[1_000];

    /// Names a call.
    static String id(int call) {
        return PREFIX + call;
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(PREFIX.length()));
    }

    void add(ToolResult result) {
        int call = number(result.toolCallId());
        if (result.replayed())
            return;
        if (result.isFinal()) {
            finals = call < finals.length ? finals : Arrays.copyOf(finals, 2 * call);
            finals[call]++;
            failed.set(call, failed.get(call) || result.status() != ResultStatus.OK);
        } else if (result.handle() != null && !pending.get(call)) {
            pending.set(call);
            handles.add(result.handle());
        }
    }

    void add(ToolProgress progress) {
        heard.set(number(progress.toolCallId()));
    }

    /// The handles of the calls that went pending, in the order in which that was read.
    List<String> handles() {
        return handles;
    }

    /// Number of calls that went pending.
    int pending() {
        return pending.cardinality();
    }

    /// Number of calls whose work was heard of.
    int heard() {
        return heard.cardinality();
    }

    /// Number of calls with a final result.
    int ended() {
        return (int) Arrays.stream(finals).filter(count -> count > 0).count();
    }

    /// Number of calls with more than one.
    int twice() {
        return (int) Arrays.stream(finals).filter(count -> count > 1).count();
    }

    /// Number of calls with one that is no success.
    int failed() {
        return failed.cardinality();
    }
}
