package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.simulation.SimCall.Kind;
import org.apache.kafka.clients.consumer.ConsumerRecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// Checks of a world that has come to rest: G1, G2 and G4. [EffectChecks] has G3, [LaterChecks] the calls that finish
/// later.
final class Checks {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final World world;
    private final History history;
    private final List<String> violations = new ArrayList<>();
    /// Results of each partition, in order.
    private final Map<Integer, List<ToolResult>> results = new HashMap<>();

    Checks(World world) {
        this.world = world;
        this.history = world.history;
        for (int partition = 0; partition < world.cluster.partitions; partition++)
            results.put(partition, world.cluster.log(Topic.RESULT, partition).committed().stream()
                    .map(record -> RESULTS.read(record.value())).toList());
    }

    List<String> violations() {
        violations.addAll(history.broken);
        everyCallHasOneResult();
        everyIdentityIsAnsweredOnce();
        whatIsTooLargeSaysSo();
        everyBadRecordIsADeadLetter();
        resultsKeepTheOrderOfTheirOwner();
        exclusiveCallsFinishInCallOrder();
        exclusiveCallsDoNotOverlap();
        nothingRunsAgainAfterALaterCall();
        whatWasSettledDoesNotRunAgain();
        violations.addAll(new EffectChecks(world, results).violations());
        violations.addAll(new LaterChecks(world, results).violations());
        violations.addAll(new CancelChecks(world, results).violations());
        violations.addAll(new PoisonChecks(world, results).violations());
        violations.addAll(new ApprovalChecks(world, results).violations());
        violations.addAll(new BudgetChecks(world, results).violations());
        return violations;
    }

    /// One that is final, or that repeats another's. A call whose results were forgotten may end twice.
    private void everyCallHasOneResult() {
        Map<String, Integer> all = count(result -> result.isFinal() || result.replayed());
        Map<String, Integer> ends = count(result -> result.isFinal() && !result.replayed());
        history.calls.forEach((key, call) -> {
            if (!all.containsKey(key))
                violations.add("G1 missing: call " + key + " has no result");
            boolean doubtful = history.forgotten.isDoubtful(call);
            int found = (doubtful ? ends : all).getOrDefault(key, 0);
            if (found > (doubtful ? 2 : 1))
                violations.add("G1 duplicate: call " + key + " has " + found + " results");
        });
    }

    /// The number of results of each call that satisfy the condition.
    private Map<String, Integer> count(Predicate<ToolResult> condition) {
        Map<String, Integer> count = new HashMap<>();
        results.forEach((partition, all) -> all.stream()
                .filter(result -> condition.test(result) && history.call(partition, result) != null)
                .forEach(result -> count.merge(SimCall.key(partition, result.callOffset()), 1, Integer::sum)));
        return count;
    }

    /// One of the calls with one identity is answered; its duplicates get its answer again, and the others a conflict.
    /// If workers forget answers, another call may be answered once that one has ended.
    private void everyIdentityIsAnsweredOnce() {
        Map<String, List<ToolResult>> answers = new HashMap<>();
        results.forEach((partition, all) -> all.forEach(result -> {
            // Also of calls that are lost: a duplicate gets their answers.
            SimCall call = history.call(new Position(partition, 0, result.callOffset()), result.toolCallId());
            if (call == null || code(result).equals("E_CALL_IDENTITY_CONFLICT"))
                return;
            List<ToolResult> before = answers.computeIfAbsent(call.identity(), _ -> new ArrayList<>());
            if (history.forgotten.isDoubtful(call)) {
                before.add(result);
                return;
            }
            if (result.replayed()) {
                if (before.stream().noneMatch(answer -> isReplay(answer, result)))
                    violations.add("G1 replay: " + call.key() + " got " + result + " instead of " + before);
                else if (!result.isFinal() && before.getLast().isFinal())
                    violations.add("G1 replay: " + call.key() + " got " + result + " behind " + before.getLast());
                return;
            }
            ToolResult last = before.isEmpty() ? result : before.getLast();
            if (last.callOffset() != result.callOffset() && !(world.isForgetful() && last.isFinal()))
                violations.add("G1 duplicate: " + call.key() + " ran like its twin " + last.callOffset());
            before.add(result);
        }));
    }

    /// Compares a replay. For a forgotten pending result only the handle is known.
    private static boolean isReplay(ToolResult answer, ToolResult result) {
        return answer.status() == result.status() && Objects.equals(answer.handle(), result.handle())
                && code(answer).equals(code(result)) && (Objects.equals(answer.output(), result.output())
                        || (!result.isFinal() && result.output() == null));
    }

    private void whatIsTooLargeSaysSo() {
        results.forEach((partition, all) -> all.forEach(result -> {
            SimCall call = history.call(partition, result);
            if (call != null && call.kind().asks() && (!result.isFinal() || result.error() == null))
                return;
            boolean tooLarge = code(result).equals(ErrorCode.E_TOOL_RESULT_TOO_LARGE.name());
            if (call != null && (call.isLarge() ? result.error() == null : tooLarge && !call.endsLarge()))
                violations.add("G6 size: " + call.key() + " got " + result);
        }));
    }

    static String code(ToolResult result) {
        return result.error() == null ? "" : result.error().code();
    }

    private void everyBadRecordIsADeadLetter() {
        Set<String> found = new HashSet<>();
        for (int partition = 0; partition < world.cluster.partitions; partition++) {
            for (ConsumerRecord<byte[], byte[]> letter : world.cluster.log(Topic.DEAD_LETTER, partition).committed()) {
                String origin = new String(requireNonNull(letter.headers().lastHeader(WireHeaders.ORIGIN)).value(),
                        UTF_8);
                // Nothing remembers a dead letter but the offset of its call.
                if (!found.add(origin.substring(origin.indexOf('/') + 1))
                        && world.hazards.topicFault == TopicFault.NONE)
                    violations.add("G4 duplicate dead letter of " + origin);
            }
        }
        if (!found.equals(history.malformed))
            violations.add("G4 dead letters " + found + ", expected " + history.malformed);
    }

    /// Results keep their owner's order as far as the metadata has room; only results that one owner alone finished
    /// count.
    private void resultsKeepTheOrderOfTheirOwner() {
        if (world.hasRoom()) {
            history.finished.forEach((assignment, finished) -> {
                List<Long> published = offsets(assignment.partition());
                Map<String, Integer> last = new HashMap<>();
                for (long offset : finished) {
                    SimCall call = history.call(assignment.partition(), offset);
                    int at = published.indexOf(offset);
                    if (call == null || at < 0 || history.isPlaceOfLost(call)
                            || history.timesFinished(assignment.partition(), offset) > 1)
                        continue;
                    Integer before = last.put(call.instance(), at);
                    if (before != null && before > at)
                        violations.add("G2 order: " + call.key() + " comes before one that finished earlier on "
                                + assignment.worker());
                }
            });
        }
    }

    /// The calls in the order of their first results.
    private List<Long> offsets(int partition) {
        return requireNonNull(results.get(partition)).stream()
                .filter(result -> history.call(partition, result) != null).map(ToolResult::callOffset).distinct()
                .toList();
    }

    private void exclusiveCallsFinishInCallOrder() {
        for (int partition : results.keySet()) {
            Map<String, Long> last = new HashMap<>();
            for (long offset : offsets(partition)) {
                SimCall call = history.call(partition, offset);
                // A worker may read on in a topic that was made anew, for as long as it does not know.
                if (call == null || call.kind() == Kind.READ || history.readOn.contains(call.mark()))
                    continue;
                Long before = last.put(call.instance(), offset);
                if (before != null && before > offset)
                    violations.add("G2 order: exclusive call " + call.key() + " answered after " + before);
            }
        }
    }

    private void exclusiveCallsDoNotOverlap() {
        for (int i = 0; i < history.starts.size(); i++) {
            History.Start one = history.starts.get(i);
            if (one.call.kind() == Kind.READ || one.end < 0 || mayOverlap(one))
                continue;
            for (History.Start other : history.starts.subList(i + 1, history.starts.size())) {
                if (other.at < one.end && other.call.instance().equals(one.call.instance())
                        && world.growth.keepsOrder(one.call, other.call) && !mayOverlap(other))
                    violations.add("G2 overlap: " + one + " and " + other);
            }
        }
    }

    /// A journaled call runs on while its partition moves, and its heir waits for it.
    private boolean mayOverlap(History.Start start) {
        return start.lostMembership || (start.outlived && !world.hasRoom());
    }

    /// A call that must not run twice starts when every earlier call of its instance is answered for good. One that
    /// waited for a person has no place among them.
    private void nothingRunsAgainAfterALaterCall() {
        if (world.hazards.topicFault != TopicFault.NONE || !history.lost.isEmpty() || !world.hasRoom())
            return;
        for (int i = 0; i < history.starts.size(); i++) {
            History.Start again = history.starts.get(i);
            if (again.lostMembership || again.call.kind().asks() || history.forgotten.isDoubtful(again.call))
                continue;
            for (History.Start later : history.starts.subList(0, i)) {
                if (later.call.kind().isJournaled() && !later.call.kind().asks()
                        && later.call.instance().equals(again.call.instance())
                        && later.call.partition() == again.call.partition()
                        && later.call.offset() > again.call.offset())
                    violations.add("G2 order: " + again + " starts after " + later);
            }
        }
    }

    private void whatWasSettledDoesNotRunAgain() {
        // A worker that finds out that the log has lost records ends its assignment as in a revoke, and commits nothing.
        if (!history.lost.isEmpty())
            return;
        for (int i = 0; i < history.starts.size(); i++) {
            History.Start start = history.starts.get(i);
            Integer settled = history.settled.get(start.call.key());
            // For a call that needs approval, the question was settled.
            if (settled != null && i >= settled && !start.lostMembership && !start.call.kind().asks()
                    && !history.forgotten.isDoubtful(start.call))
                violations.add("revoke: " + start.call.key() + " finished before an orderly revoke and ran again");
        }
        if (world.calm && history.lateRevokes > 0)
            violations.add("revoke: not everything that had finished was committed in time");
    }
}
