package dev.toolfleet.cli.backtest;

import java.util.EnumMap;
import java.util.Map;

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

    private final Map<Returned, Long> returned = new EnumMap<>(Returned.class);
    private long calls;

    void call() {
        calls++;
    }

    void returned(Returned result) {
        returned.merge(result, 1L, Long::sum);
    }

    void add(FindingGroup other) {
        calls += other.calls;
        other.returned.forEach((result, count) -> returned.merge(result, count, Long::sum));
    }

    long calls() {
        return calls;
    }

    /// The number of calls that returned so.
    long count(Returned result) {
        if (result != Returned.UNKNOWN)
            return returned.getOrDefault(result, 0L);
        long looked = returned.entrySet().stream().filter(entry -> entry.getKey() != Returned.UNKNOWN)
                .mapToLong(Map.Entry::getValue).sum();
        return calls - looked;
    }
}
