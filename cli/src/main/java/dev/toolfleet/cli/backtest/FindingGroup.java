package dev.toolfleet.cli.backtest;

/// Calls of one finding, tool and agent, and of one rule in shadow, with their results. One thread at a time.
final class FindingGroup {
    /// @param tool by its called name; empty, like the others, for the calls that are not told apart
    /// @param agent empty when the call names none
    /// @param rule the shadow rule; empty for a change
    record Key(Finding finding, String tool, String agent, String rule) {
        static Key of(Difference difference, PastCall call) {
            String agent = call.agentName();
            return new Key(difference.finding(), call.name(), agent == null ? "" : agent, difference.shadowRule());
        }

        static Key others(Finding finding) {
            return new Key(finding, "", "", "");
        }
    }

    private final long[] returned = new long[Returned.values().length];
    private long calls;

    void call() {
        calls++;
    }

    void returned(Returned result) {
        returned[result.ordinal()]++;
    }

    void add(FindingGroup other) {
        calls += other.calls;
        for (int i = 0; i < returned.length; i++)
            returned[i] += other.returned[i];
    }

    long calls() {
        return calls;
    }

    /// The number of calls that returned so.
    long count(Returned result) {
        return result == Returned.UNKNOWN ? calls - looked() : returned[result.ordinal()];
    }

    private long looked() {
        long looked = 0;
        for (Returned result : Returned.values())
            looked += result == Returned.UNKNOWN ? 0 : returned[result.ordinal()];
        return looked;
    }
}
