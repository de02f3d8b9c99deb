package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Checks that no instance exceeds a budget, and that none is refused what it has left.
///
/// **Counting.** A call that must not run twice counts once it has begun anywhere. One that may run twice counts once its
/// result shows that it ran: a start that died with its worker is repeated. For a refusal every start counts.
final class BudgetChecks {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final Set<String> UNFIT = Set.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE.name(),
            ErrorCode.E_TOOL_RESULT_INVALID.name());

    private final World world;
    private final Map<Integer, List<ToolResult>> results;
    private final List<String> violations = new ArrayList<>();

    BudgetChecks(World world, Map<Integer, List<ToolResult>> results) {
        this.world = world;
        this.results = results;
    }

    /// True if a call of the world was refused.
    static boolean refuses(World world) {
        return IntStream.range(0, world.cluster.partitions)
                .mapToObj(partition -> world.cluster.log(Topic.RESULT, partition))
                .flatMap(log -> log.committed().stream())
                .anyMatch(record -> isRefusal(RESULTS.read(record.value())));
    }

    private static boolean isRefusal(ToolResult result) {
        return Checks.code(result).equals(ErrorCode.E_TOOL_BUDGET_EXHAUSTED.name());
    }

    List<String> violations() {
        if (world.budget.isOff())
            return List.of();
        spent().forEach((instance, calls) -> {
            compare("budget: ", instance, calls.size(), world.budget.calls());
            compare("budget of cost: ", instance, cost(calls.values()), world.budget.cost());
        });
        nothingIsRefusedEarly();
        return violations;
    }

    private void compare(String kind, String instance, int spent, int limit) {
        if (spent > limit)
            violations.add(kind + instance + " has spent " + spent + " of " + limit);
    }

    private static int cost(Collection<SimCall> calls) {
        return calls.stream().mapToInt(SimBudget::spends).sum();
    }

    /// Returns the calls that have surely spent, by instance and identity.
    private Map<String, Map<String, SimCall>> spent() {
        Map<String, Map<String, SimCall>> all = new TreeMap<>();
        for (History.Start start : world.history.starts) {
            if (start.call.kind().isJournaled())
                add(all, start.call);
        }
        results.forEach((partition, list) -> list.forEach(result -> {
            SimCall call = world.history.call(partition, result);
            boolean question = call != null && call.kind().asks() && !result.isFinal();
            if (call != null && !call.kind().isJournaled() && !question && hasRun(result))
                add(all, call);
        }));
        return all;
    }

    /// True if the handler has answered: also if no result can be made of its answer. Other errors may come before it began.
    private static boolean hasRun(ToolResult result) {
        return result.error() == null || UNFIT.contains(Checks.code(result));
    }

    private static void add(Map<String, Map<String, SimCall>> all, SimCall call) {
        all.computeIfAbsent(instance(call), _ -> new TreeMap<>()).put(call.identity(), call);
    }

    private static String instance(SimCall call) {
        return call.partition() + " " + call.instance();
    }

    private void nothingIsRefusedEarly() {
        for (int partition = 0; partition < world.cluster.partitions; partition++) {
            SimLog log = world.cluster.log(Topic.RESULT, partition);
            for (ConsumerRecord<byte[], byte[]> record : log.committed())
                notEarly(partition, RESULTS.read(record.value()), log.appended(record));
        }
    }

    private void notEarly(int partition, ToolResult result, long at) {
        SimCall call = world.history.call(partition, result);
        if (call == null || result.replayed() || !isRefusal(result))
            return;
        List<SimCall> began = began(call, at);
        if (began.size() < world.budget.calls() && cost(began) + SimBudget.spends(call) <= world.budget.cost())
            violations.add("budget refused early: " + call.key() + " after " + began.size() + " calls with cost "
                    + cost(began) + " of " + world.budget);
    }

    /// Returns the calls of the same instance that had begun when a refusal was written, or were about to, each as often as
    /// it may have spent. Where answers are forgotten a call may run again, and then it spends again.
    private List<SimCall> began(SimCall refused, long at) {
        Set<String> seen = new HashSet<>();
        boolean again = world.isForgetful() || !world.history.lost.isEmpty()
                || world.hazards.topicFault != TopicFault.NONE;
        List<SimCall> started = world.history.starts.stream().filter(start -> start.at <= at).map(start -> start.call)
                .filter(call -> instance(call).equals(instance(refused)))
                .filter(call -> seen.add(call.identity()) || again).toList();
        // A call spends before its intent is written, so an intent may be younger than the refusal.
        List<SimCall> noted = Stream.concat(world.history.calls.values().stream(), world.history.lost.stream())
                .filter(call -> instance(call).equals(instance(refused)) && isNoted(call)
                        && (seen.add(call.identity()) || again))
                .toList();
        return Stream.concat(started.stream(), noted.stream()).toList();
    }

    /// True if an intent of the call names what it has spent: it counts although its worker died before it began.
    private boolean isNoted(SimCall call) {
        return world.cluster.log(Topic.JOURNAL, call.partition()).committed().stream()
                .anyMatch(record -> record.value() != null
                        && JournalEntry.read(record.value()) instanceof CallIntent intent && !intent.spent().isEmpty()
                        && EffectChecks.isOf(world, intent, call));
    }
}
