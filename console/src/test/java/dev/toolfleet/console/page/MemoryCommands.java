package dev.toolfleet.console.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.json.Json;

/// Commands that note what they were given. Thread-safe.
final class MemoryCommands implements OperatorCommands {
    final List<String> done = Collections.synchronizedList(new ArrayList<>());

    private Outcome note(String what) {
        done.add(what);
        return new Outcome(true, Json.MAPPER.missingNode(), List.of(what));
    }

    @Override
    public Outcome explain(CallId call) {
        return new Outcome(true, Json.MAPPER.readTree("""
                {"verdict":"Next","text":"It is about to run","timeline":[{"at":"2026-11-28T20:00:00Z",
                "topic":"tool.call","what":"accepted <b>"}],"next":["Wait."],"call":{"instanceKey":"i1","partition":2},
                "rulings":[{"action":"approval-requested"},{"action":"denied","labels":[
                {"label":"untrusted","toolName":"web__read","toolCallId":"<c9>","callOffset":17,"instanceKey":"i1"},
                {"label":"sensitive","toolName":"vault__read","toolCallId":"c3","callOffset":4,"instanceKey":"i2"}]}]}
                """), List.of());
    }

    @Override
    public Outcome policy(PolicyQuestion question) {
        return new Outcome(true, Json.MAPPER.readTree("""
                {"stage":"default policy","verdict":"allow","rule":"default","reason":"nothing denies it",
                "why":"No rule is about the call.","stages":[{"stage":"deny"},{"stage":"default policy",
                "verdict":"allow","rule":"default","reason":"nothing denies it"}]}"""), List.of());
    }

    @Override
    public Outcome denials() {
        return new Outcome(true, Json.MAPPER.createArrayNode(), List.of());
    }

    @Override
    public Outcome deny(String pattern, Duration period, Author author) {
        return note("deny " + pattern + " for " + period + " by " + author.by());
    }

    @Override
    public Outcome lift(String pattern, Author author) {
        return note("lift " + pattern + " by " + author.by());
    }

    @Override
    public Outcome letter(LetterAddress address) {
        return new Outcome(true, Json.MAPPER.createObjectNode().put("address", address.toString()), List.of());
    }

    @Override
    public Outcome dispose(Disposal disposal, List<LetterAddress> letters, Author author, boolean dryRun) {
        return note((dryRun ? "would " : "") + disposal + " " + letters + " by " + author.by());
    }

    @Override
    public Outcome skip(String instance, CallId call, Author author) {
        return note("skip " + call + " by " + author.by());
    }

    @Override
    public Outcome cancel(List<CallView> calls, Author author) {
        return note("cancel " + calls.stream().map(CallView::id).toList() + " by " + author.by());
    }

    @Override
    public FleetState fleet() {
        return new FleetState("toolfleet",
                List.of(new WorkerState("worker-1", "127.0.0.1", Set.of(0, 1), true, 2, 3, Duration.ofSeconds(4),
                        List.of(new HostState("demo (node)", 4711, "runs", 50_000_000, 2)), 3)),
                List.of(new PartitionState(0, "worker-1", 100, 5, List.of()),
                        new PartitionState(1, "worker-1", 90, 0, List.of("room"))),
                List.of());
    }
}
