package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.worker.simulation.SimCall.Kind;
import org.apache.kafka.clients.consumer.ConsumerRecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// What must hold when a world has come to rest.
final class Checks {
    private final World world;
    private final History history;
    private final List<String> violations = new ArrayList<>();
    /// Results of each partition, in order.
    private final Map<Integer, List<Long>> results = new HashMap<>();

    Checks(World world) {
        this.world = world;
        this.history = world.history;
    }

    List<String> violations() {
        violations.addAll(history.broken);
        for (int partition = 0; partition < world.cluster.partitions; partition++)
            results.put(partition, world.cluster.log(Topic.RESULT, partition).committed().stream()
                    .map(Checks::callOffset).toList());
        everyCallHasOneResult();
        everyBadRecordIsADeadLetter();
        resultsKeepTheOrderOfTheirOwner();
        exclusiveCallsFinishInCallOrder();
        exclusiveCallsDoNotOverlap();
        whatWasSettledDoesNotRunAgain();
        return violations;
    }

    private static long callOffset(ConsumerRecord<byte[], byte[]> result) {
        return Long.parseLong(new String(requireNonNull(result.headers().lastHeader(WireHeaders.CALL_OFFSET)).value(),
                UTF_8));
    }

    private void everyCallHasOneResult() {
        Map<String, Integer> count = new HashMap<>();
        results.forEach((partition, offsets) -> offsets
                .forEach(offset -> count.merge(SimCall.key(partition, offset), 1, Integer::sum)));
        history.calls.keySet().forEach(key -> {
            int found = count.getOrDefault(key, 0);
            if (found == 0)
                violations.add("G1 missing: call " + key + " has no result");
            if (found > 1)
                violations.add("G1 duplicate: call " + key + " has " + found + " results");
        });
    }

    private void everyBadRecordIsADeadLetter() {
        Set<String> found = new HashSet<>();
        for (int partition = 0; partition < world.cluster.partitions; partition++) {
            for (ConsumerRecord<byte[], byte[]> letter : world.cluster.log(Topic.DEAD_LETTER, partition).committed()) {
                String origin = new String(requireNonNull(letter.headers().lastHeader(WireHeaders.ORIGIN)).value(),
                        UTF_8);
                if (!found.add(origin.substring(origin.indexOf('/') + 1)))
                    violations.add("G4 duplicate dead letter of " + origin);
            }
        }
        if (!found.equals(history.malformed))
            violations.add("G4 dead letters " + found + ", expected " + history.malformed);
    }

    private void resultsKeepTheOrderOfTheirOwner() {
        history.finished.forEach((assignment, finished) -> {
            Map<String, List<Long>> byInstance = new HashMap<>();
            List<Long> published = requireNonNull(results.get(assignment.partition()));
            for (long offset : finished) {
                SimCall call = history.call(assignment.partition(), offset);
                if (call != null && published.contains(offset))
                    byInstance.computeIfAbsent(call.instance(), _ -> new ArrayList<>()).add(offset);
            }
            if (world.maxMetadata == 4_096)
                byInstance.values().forEach(order -> inOrder(assignment, published, order));
        });
    }

    /// What one owner finished and nobody else.
    private void inOrder(History.Assignment assignment, List<Long> published, List<Long> finished) {
        int last = -1;
        for (long offset : finished) {
            if (history.timesFinished(assignment.partition(), offset) > 1)
                continue;
            int at = published.indexOf(offset);
            if (at < last)
                violations.add("G2 order: result of " + SimCall.key(assignment.partition(), offset)
                        + " comes before one that finished earlier on " + assignment.worker());
            last = Math.max(last, at);
        }
    }

    private void exclusiveCallsFinishInCallOrder() {
        results.forEach((partition, offsets) -> {
            Map<String, Long> last = new HashMap<>();
            for (long offset : offsets) {
                SimCall call = history.call(partition, offset);
                if (call == null || call.kind() == Kind.READ_ONLY)
                    continue;
                Long before = last.put(call.instance(), offset);
                if (before != null && before > offset)
                    violations.add("G2 order: exclusive call " + call.key() + " answered after " + before);
            }
        });
    }

    private void exclusiveCallsDoNotOverlap() {
        for (int i = 0; i < history.starts.size(); i++) {
            History.Start one = history.starts.get(i);
            if (one.call.kind() == Kind.READ_ONLY || one.end < 0 || one.lostMembership)
                continue;
            for (History.Start other : history.starts.subList(i + 1, history.starts.size())) {
                if (other.at < one.end && other.call.instance().equals(one.call.instance())
                        && !other.lostMembership)
                    violations.add("G2 overlap: " + one + " and " + other);
            }
        }
    }

    private void whatWasSettledDoesNotRunAgain() {
        for (History.Start start : history.starts) {
            Long settled = history.settled.get(start.call.key());
            if (settled != null && start.at >= settled && !start.lostMembership)
                violations.add("revoke: " + start.call.key() + " finished before an orderly revoke and ran again");
        }
        if (world.calm && history.lateRevokes > 0)
            violations.add("revoke: not everything that had finished was committed in time");
    }
}
