package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.bench.verdict.RunFacts.DecisionFact;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.InstanceLabel;

/// Check that no call that sends starts without approval after its instance had received results with both labels. It
/// reads what the topics had: calls, results, intents and decisions, and not the files of the tools.
///
/// A call counts if it was written after a reader had the later of the two results. A call that was written before it is
/// no act of a model that has read it, and may start beside it.
///
/// @param guarded the calls that it saw
record LabelCheck(CrashReport.Guarded guarded, List<Violation> violations) {
    /// Codes of calls that a person or the fleet may have refused before their start. One that did start has an intent, or
    /// an effect, which the check of approvals finds.
    private static final Set<String> NOT_STARTED = Set.of(ErrorCode.E_TOOL_APPROVAL_REJECTED.name(),
            ErrorCode.E_TOOL_APPROVAL_EXPIRED.name(), ErrorCode.E_TOOL_DENIED.name(),
            ErrorCode.E_TOOL_CANCELLED.name(), ErrorCode.E_TOOL_TIMEOUT.name());

    static LabelCheck of(RunFacts facts) {
        Map<String, Instant> complete = complete(facts);
        Map<String, Instant> approved = facts.decisions().stream().filter(DecisionFact::approved)
                .collect(Collectors.toMap(DecisionFact::callId, DecisionFact::at, (a, b) -> a.isBefore(b) ? a : b));
        Map<String, Instant> starts = starts(facts);
        List<CallFact> sending = facts.calls().stream().filter(LabelCheck::isPlain)
                .filter(call -> call.kind().sends()).toList();
        List<CallFact> after = sending.stream().filter(
                call -> call.sentAt().isAfter(complete.getOrDefault(call.instance(), Instant.MAX))).toList();
        List<Violation> found = new ArrayList<>();
        after.forEach(call -> unapproved(Optional.ofNullable(starts.get(call.id())),
                Optional.ofNullable(approved.get(call.id())))
                .ifPresent(problem -> found.add(new Violation(Promise.GUARDED, call.id(), problem + "; "
                        + call.where() + ", which had both labels at " + complete.get(call.instance())))));
        if (after.isEmpty())
            found.add(new Violation(Promise.GUARDED, "run", "none of the " + sending.size()
                    + " calls that send was written after both labels; let it take longer"));
        return new LabelCheck(new CrashReport.Guarded(sending.size(), after.size()), found);
    }

    /// Times from which instances had results with both labels.
    private static Map<String, Instant> complete(RunFacts facts) {
        Map<String, CallFact> calls = facts.callsById();
        Map<String, Map<String, Instant>> firsts = new HashMap<>();
        for (ResultFact result : facts.results()) {
            CallFact call = calls.get(result.callId());
            // Only what the tool itself returned: texts of the fleet add no label.
            if (call == null || result.replayed() || result.answer().error().isPresent() || !isPlain(call))
                continue;
            call.kind().adds().ifPresent(label -> firsts.computeIfAbsent(call.instance(), key -> new HashMap<>())
                    .merge(label, result.seenAt(), (a, b) -> a.isBefore(b) ? a : b));
        }
        Map<String, Instant> complete = new HashMap<>();
        firsts.forEach((instance, its) -> {
            if (its.keySet().containsAll(Set.of(InstanceLabel.UNTRUSTED, InstanceLabel.SENSITIVE)))
                its.values().stream().max(Comparator.naturalOrder()).ifPresent(at -> complete.put(instance, at));
        });
        return complete;
    }

    /// The first sign of each call's start: the intent of a call that must not run twice, or a final result that no refusal
    /// explains. An heir notes calls that may run twice before it rules.
    private static Map<String, Instant> starts(RunFacts facts) {
        Map<String, Instant> starts = new HashMap<>();
        facts.intents().stream().filter(intent -> !intent.repeatable())
                .forEach(intent -> starts.merge(intent.callId(), intent.at(), LabelCheck::earlier));
        facts.results().stream().filter(ResultFact::original)
                .filter(result -> result.answer().error().filter(NOT_STARTED::contains).isEmpty())
                .forEach(result -> starts.merge(result.callId(), result.seenAt(), LabelCheck::earlier));
        return starts;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private static Optional<String> unapproved(Optional<Instant> start, Optional<Instant> approved) {
        if (start.isEmpty())
            return Optional.empty();
        if (approved.isEmpty())
            return Optional.of("started by " + start.get() + " and was never approved");
        return approved.filter(at -> start.get().isBefore(at))
                .map(at -> "started by " + start.get() + ", before its approval at " + at);
    }

    /// True if the call is of an export that adds labels or sends.
    private static boolean isPlain(CallFact call) {
        return !call.course().isAlwaysAsked();
    }
}
