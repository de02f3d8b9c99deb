package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Verdict;

/// Counts of judged calls, and the newest examples. Bounded: models invent names of tools. The totals are exact whatever
/// comes. One thread at a time.
final class BacktestTally {
    /// Largest number of groups that are counted apart.
    static final int MAX_GROUPS = 2_000;

    private final int most;
    private final Map<FindingGroup.Key, FindingGroup> groups = new HashMap<>();
    private final Map<Unjudged, Long> unjudged = new HashMap<>();
    private final Map<Finding, PriorityQueue<Example>> examples = new EnumMap<>(Finding.class);
    private final Map<Verdict, Long> before = new EnumMap<>(Verdict.class);
    private final Map<Verdict, Long> after = new EnumMap<>(Verdict.class);
    private long judged;
    private long unreadable;
    private long labelsNotKept;

    /// @param tool by its called name; empty for those that are not told apart
    record Unjudged(PastVerdict.Reason reason, String tool) {}

    /// @param most the number of examples of each finding
    BacktestTally(int most) {
        this.most = most;
    }

    void unreadable() {
        unreadable++;
    }

    void labelsNotKept(long more) {
        labelsNotKept += more;
    }

    void notJudged(PastVerdict.Reason reason, String tool) {
        Unjudged key = new Unjudged(reason, tool);
        if (!unjudged.containsKey(key) && unjudged.size() >= MAX_GROUPS)
            key = new Unjudged(reason, "");
        unjudged.merge(key, 1L, Long::sum);
    }

    void judged(PastVerdict.Judged verdict) {
        judged++;
        before.merge(verdict.before(), 1L, Long::sum);
        after.merge(verdict.after(), 1L, Long::sum);
    }

    /// Counts a difference and returns its group.
    FindingGroup count(Difference difference, PastCall call) {
        FindingGroup group = group(FindingGroup.Key.of(difference, call));
        group.call();
        return group;
    }

    private FindingGroup group(FindingGroup.Key key) {
        FindingGroup known = groups.get(key);
        if (known != null)
            return known;
        FindingGroup.Key counted = groups.size() < MAX_GROUPS ? key : FindingGroup.Key.others(key.finding());
        return groups.computeIfAbsent(counted, made -> new FindingGroup());
    }

    /// Keeps the example if it is among the newest of its finding.
    void offer(Example example) {
        if (most == 0)
            return;
        PriorityQueue<Example> kept = examples.computeIfAbsent(example.difference().finding(),
                finding -> new PriorityQueue<>(Example.BY_TIME));
        kept.add(example);
        if (kept.size() > most)
            kept.poll();
    }

    void add(BacktestTally other) {
        other.groups.forEach((key, group) -> group(key).add(group));
        other.unjudged.forEach((key, count) -> unjudged.merge(key, count, Long::sum));
        other.examples.values().forEach(kept -> kept.forEach(this::offer));
        other.before.forEach((verdict, count) -> before.merge(verdict, count, Long::sum));
        other.after.forEach((verdict, count) -> after.merge(verdict, count, Long::sum));
        judged += other.judged;
        unreadable += other.unreadable;
        labelsNotKept += other.labelsNotKept;
    }

    /// All kept examples.
    Stream<Example> examples() {
        return examples.values().stream().flatMap(PriorityQueue::stream);
    }

    /// The examples of a finding, the newest first.
    List<Example> examples(Finding finding) {
        PriorityQueue<Example> kept = examples.get(finding);
        return kept == null ? List.of() : kept.stream().sorted(Example.BY_TIME.reversed()).toList();
    }

    /// The groups of a finding, the largest first.
    List<Map.Entry<FindingGroup.Key, FindingGroup>> groups(Finding finding) {
        List<Map.Entry<FindingGroup.Key, FindingGroup>> found = new ArrayList<>(groups.entrySet().stream()
                .filter(entry -> entry.getKey().finding() == finding).toList());
        found.sort(Comparator
                .comparingLong((Map.Entry<FindingGroup.Key, FindingGroup> entry) -> entry.getValue().calls()).reversed()
                .thenComparing(entry -> entry.getKey().rule()).thenComparing(entry -> entry.getKey().tool())
                .thenComparing(entry -> entry.getKey().agent()));
        return found;
    }

    /// The number of calls with a finding; one call counts for each shadow rule.
    long calls(Finding finding) {
        return groups(finding).stream().mapToLong(entry -> entry.getValue().calls()).sum();
    }

    /// The calls that were not judged, the most frequent first.
    List<Map.Entry<Unjudged, Long>> unjudged() {
        List<Map.Entry<Unjudged, Long>> all = new ArrayList<>(unjudged.entrySet());
        all.sort(Comparator.comparingLong((Map.Entry<Unjudged, Long> entry) -> entry.getValue()).reversed()
                .thenComparing(entry -> entry.getKey().tool()).thenComparing(entry -> entry.getKey().reason()));
        return all;
    }

    /// The number of calls that both policies judged.
    long judged() {
        return judged;
    }

    /// Records that are no calls.
    long unreadableCalls() {
        return unreadable;
    }

    /// Results and messages whose labels are not known, because too many instances had some.
    long labelsNotKept() {
        return labelsNotKept;
    }

    long before(Verdict verdict) {
        return before.getOrDefault(verdict, 0L);
    }

    long after(Verdict verdict) {
        return after.getOrDefault(verdict, 0L);
    }
}
