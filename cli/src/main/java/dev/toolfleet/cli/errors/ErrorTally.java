package dev.toolfleet.cli.errors;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts errors as they come. Remembers a bounded number of groups: models invent names of tools, and there is no end
/// to these. What comes in further groups is counted together, so that the total is exact whatever comes.
final class ErrorTally {
    /// Largest number of groups that are counted apart.
    static final int MAX_GROUPS = 2_000;

    private final ErrorQuery query;
    private final Map<String, Count> counts = new HashMap<>();
    private long total;
    private long beyond;
    private long notices;
    private long unreadable;

    /// Count of one group.
    static final class Count {
        private long number;
        private ErrorFacts first;
        private ErrorFacts last;

        private Count(ErrorFacts error) {
            first = error;
            last = error;
        }

        private void add(ErrorFacts error) {
            number++;
            if (error.at().isBefore(first.at()))
                first = error;
            if (!error.at().isBefore(last.at()))
                last = error;
        }
    }

    /// A group with at least one error.
    ///
    /// @param share of all errors that were counted, 0 to 1
    /// @param example the newest of them
    record Group(String key, long count, double share, Instant first, ErrorFacts example) {}

    ErrorTally(ErrorQuery query) {
        this.query = query;
    }

    void add(byte[] value) {
        ErrorFacts error = ErrorFacts.read(value);
        if (error == null)
            unreadable++;
        else if (query.means(error))
            count(error);
    }

    private void count(ErrorFacts error) {
        if (query.passesOver(error)) {
            notices++;
            return;
        }
        total++;
        String key = query.by().of(error);
        Count known = counts.get(key);
        if (known == null && counts.size() >= MAX_GROUPS) {
            beyond++;
            return;
        }
        if (known == null) {
            known = new Count(error);
            counts.put(key, known);
        }
        known.add(error);
    }

    /// The groups, the most frequent first.
    List<Group> groups() {
        return counts.entrySet().stream().map(entry -> {
            Count count = entry.getValue();
            return new Group(entry.getKey(), count.number, count.number / (double) total, count.first.at(),
                    count.last);
        }).sorted(Comparator.comparingLong(Group::count).reversed().thenComparing(Group::key)).toList();
    }

    /// All errors that were counted, those beyond the groups too.
    long total() {
        return total;
    }

    /// Errors in groups that came when there were [#MAX_GROUPS] already.
    long beyond() {
        return beyond;
    }

    /// Events that are no errors.
    long notices() {
        return notices;
    }

    /// Records that are no error events.
    long unreadable() {
        return unreadable;
    }
}
