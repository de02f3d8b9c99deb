package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.toolfleet.bench.caller.CallOutcome;
import dev.toolfleet.bench.caller.GatewayCaller;
import dev.toolfleet.bench.load.CallPlan;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.verdict.CallFact;
import dev.toolfleet.bench.verdict.ClientFact;
import dev.toolfleet.bench.verdict.GivenAnswer;
import dev.toolfleet.bench.verdict.Written;
import dev.toolfleet.wire.StepCatalog;
import org.jspecify.annotations.Nullable;

/// Clients over HTTP, each on a thread of its own: one makes one call, under an idempotency key of its own, and repeats it
/// until it has the final result. A call that the plan has twice has two clients with the same key.
///
/// A repeated request may be appended once more, so the records of a call are read from the topic.
final class ClientFeed implements CallSource {
    private final GatewayCaller gateways;
    private final CallLedger ledger;
    private final InstantSource clock;
    private final Map<String, CompletableFuture<Optional<String>>> steps = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<ClientFact> clients = new ConcurrentLinkedQueue<>();

    ClientFeed(GatewayCaller gateways, CallLedger ledger, InstantSource clock) {
        this.gateways = gateways;
        this.ledger = ledger;
        this.clock = clock;
    }

    @Override
    public void run(CallPlan plan, Duration duration) throws InterruptedException {
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (PlannedCall call = plan.next(); call.at().compareTo(duration) < 0; call = plan.next()) {
                PlannedCall due = call;
                awaitTime(start, due.at());
                ledger.sent(due);
                var _ = threads.submit(() -> serve(due, start, due.at()));
                due.again().ifPresent(at -> {
                    var _ = threads.submit(() -> serve(due, start, at));
                });
            }
        }
    }

    private static void awaitTime(long start, Duration at) throws InterruptedException {
        long wait = start + at.toNanos() - System.nanoTime();
        if (wait > 0)
            Thread.sleep(Duration.ofNanos(wait));
    }

    private @Nullable Void serve(PlannedCall call, long start, Duration at) throws InterruptedException {
        awaitTime(start, at);
        Optional<String> noStep = step(call);
        clients.add(noStep.isPresent()
                ? new ClientFact(call.id(), Optional.empty(), "its step was not begun: " + noStep.get(), 0)
                : fact(call, gateways.call(call)));
        return null;
    }

    /// Announces the step of a call unless another client does.
    private Optional<String> step(PlannedCall call) throws InterruptedException {
        CompletableFuture<Optional<String>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<String>> first = steps
                .putIfAbsent(call.instance() + "/" + call.stepId(), mine);
        if (first != null)
            return first.join();
        try {
            mine.complete(gateways.begin(call.step()));
        } finally {
            mine.complete(Optional.of("its client was interrupted"));
        }
        return mine.join();
    }

    private ClientFact fact(PlannedCall call, CallOutcome outcome) {
        outcome.ids().forEach(id -> acknowledged(call.id(), id));
        return switch (outcome) {
            case CallOutcome.Answered answered -> new ClientFact(call.id(),
                    Optional.of(GivenAnswer.of(answered.result())), "", answered.requests());
            case CallOutcome.Unanswered unanswered -> new ClientFact(call.id(), Optional.empty(), unanswered.why(),
                    unanswered.requests());
        };
    }

    /// A gateway gives a call an id once its record is durable: partition and offset.
    private void acknowledged(String call, String id) {
        String[] place = id.split("-", 2);
        ledger.acknowledged(new CallLedger.Entry(call, Integer.parseInt(place[0]),
                new Written(0, Long.parseLong(place[1]), Instant.ofEpochMilli(clock.millis()))));
    }

    /// Gateways wait for the catalogs of their steps.
    @Override
    public void published(StepCatalog catalog) {}

    @Override
    public Optional<Exception> problem() {
        return Optional.empty();
    }

    @Override
    public void replaceTopic(Work replacement) {
        throw new IllegalStateException("a topic whose offsets begin anew needs another read model of the gateways");
    }

    @Override
    public int deletedTopics() {
        return 0;
    }

    @Override
    public List<CallFact> facts(FactReader reader) {
        return reader.facts(ledger);
    }

    @Override
    public List<ClientFact> clients() {
        return List.copyOf(clients);
    }

    @Override
    public void close() {
        gateways.close();
    }
}
