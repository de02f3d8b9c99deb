package dev.toolfleet.client.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.turn.TurnFleet.SentCallResults;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// One turn of an agent: announces its steps, sends the calls of its model, and waits for their results.
///
/// **Contract.** Calls are sent in the order in which they are passed, under the ids that the model gave them. A call is
/// answered once it has a final result; a pending one is answered as pending after a short wait, and its final result
/// becomes [CallNews]. A failed call is an answer, and so is one that may not have been sent; a step fails when the fleet
/// cannot be reached.
///
/// **Threads.** Thread-safe. Methods block; a lock keeps the order of calls, and is not held while results are awaited.
public final class ModelTurn {
    /// A call that was sent, and its results.
    ///
    /// @param promised true once an answer has promised the final result as news
    private record Sent(ToolCall call, SentCallResults results, AtomicBoolean promised) {}

    /// The first result of a call; null with the problem when none came.
    private record First(@Nullable ToolResult result, @Nullable String problem) {}

    /// A step and the calls that it has sent.
    ///
    /// @param ids the ids that its calls have
    private record OpenStep(StepStarted started, StepCatalogView catalog, List<ModelCall> announced,
            Map<ModelCall, Sent> sent, Set<String> ids) {

        /// Notes the ids that the model gave, before others are made.
        void name(List<ModelCall> calls) {
            calls.forEach(call -> ids.add(call.id()));
        }

        /// Returns an id for a call to which the model gave none.
        String newId() {
            int number = 1;
            while (!ids.add("call-" + number))
                number++;
            return "call-" + number;
        }
    }

    private final TurnFleet fleet;
    private final String agentName;
    private final TurnStart start;
    private final Duration patience;
    private final Consumer<CallNews> news;
    private final ReentrantLock order = new ReentrantLock();
    private int steps;
    // Null before the first step and after the last one.
    private @Nullable OpenStep step;

    ModelTurn(TurnFleet fleet, String agentName, TurnStart start, Duration patience, Consumer<CallNews> news) {
        this.fleet = fleet;
        this.agentName = agentName;
        this.start = start;
        this.patience = patience;
        this.news = news;
    }

    /// Returns the start of this turn.
    public TurnStart start() {
        return start;
    }

    /// Ends the step that is open, announces the next one, and returns the tools that its model may see and call.
    ///
    /// @throws ToolFleetClientException when no catalog came
    public StepCatalogView nextStep() {
        order.lock();
        try {
            endStep();
            steps++;
            StepStarted started = new StepStarted(start.instanceKey(), agentName, start.turnId(),
                    start.turnId() + "-step-" + steps, steps, start.userId(), start.channelId(), null);
            StepCatalogView catalog = await(fleet.beginStep(started));
            step = new OpenStep(started, catalog, new ArrayList<>(), new HashMap<>(), new HashSet<>());
            return catalog;
        } finally {
            order.unlock();
        }
    }

    /// Ends the turn: announces the end of its step. Calls that are open go on.
    public void end() {
        order.lock();
        try {
            endStep();
        } finally {
            order.unlock();
        }
    }

    /// Notes the calls of one assistant message. The first one that is answered sends all of them, in this order, for a
    /// framework that passes its calls on one by one. Otherwise: a read-only call waits for the result of the one before.
    ///
    /// Calls without an id are passed over: no answer could find its call.
    public void announce(List<ModelCall> calls) {
        order.lock();
        try {
            if (step != null) {
                step.name(calls);
                step.announced().addAll(calls.stream().filter(call -> !call.id().isBlank()).toList());
            }
        } finally {
            order.unlock();
        }
    }

    /// Returns the answer to one call. Sends the call unless this step has sent it.
    public ModelAnswer answer(ModelCall call) {
        return answers(List.of(call)).getFirst();
    }

    /// Sends the calls of one assistant message, all of them before it waits, and returns their answers in the same order.
    public List<ModelAnswer> answers(List<ModelCall> calls) {
        List<Sent> all = new ArrayList<>();
        order.lock();
        try {
            if (step != null)
                step.name(calls);
            calls.forEach(call -> all.add(sent(call)));
        } finally {
            order.unlock();
        }
        List<First> first = new ArrayList<>();
        all.forEach(one -> first.add(within(one.results().first())));
        long giveUp = System.nanoTime() + patience.toNanos();
        List<ModelAnswer> answers = new ArrayList<>();
        for (int i = 0; i < all.size(); i++)
            answers.add(answer(calls.get(i), all.get(i), first.get(i), giveUp));
        return answers;
    }

    private Sent sent(ModelCall call) {
        OpenStep open = step;
        if (open == null)
            throw new IllegalStateException("turn '" + start.turnId() + "' of instance '" + start.instanceKey()
                    + "' has no step: begin one with nextStep() before its model calls " + call.name());
        if (open.announced().contains(call)) {
            List<ModelCall> message = List.copyOf(open.announced());
            open.announced().clear();
            message.forEach(one -> send(one, open));
        }
        return send(call, open);
    }

    private Sent send(ModelCall call, OpenStep open) {
        // The model's id names the call within its step: the same call again is not sent again.
        Sent before = call.id().isBlank() ? null : open.sent().get(call);
        if (before != null)
            return before;
        String id = call.id().isBlank() ? open.newId() : call.id();
        ToolCall made = call.in(open.started(), id, open.catalog().digest());
        Sent sent = new Sent(made, called(made), new AtomicBoolean());
        open.sent().put(new ModelCall(id, call.name(), call.arguments()), sent);
        return sent;
    }

    /// Sends a call. One that cannot be sent, as with an id that is too long, keeps none of the others from it.
    private SentCallResults called(ToolCall call) {
        try {
            return fleet.call(call);
        } catch (RuntimeException e) {
            CompletableFuture<ToolResult> refused = CompletableFuture.failedFuture(
                    new ToolFleetClientException(Reason.NOT_SENT, "it could not be sent: " + e.getMessage(), e));
            return new SentCallResults(refused, refused);
        }
    }

    private ModelAnswer answer(ModelCall call, Sent sent, First begun, long giveUp) {
        ToolResult first = begun.result();
        if (first == null)
            return new ModelAnswer(call.id(), ResultText.ofNone(call.name(), begun.problem()), true, false);
        ToolResult last = first.isFinal() ? first : until(giveUp, sent.results().last());
        if (last != null)
            return new ModelAnswer(call.id(), ResultText.ofFinal(last), last.error() != null, false);
        // A framework may pass the same call on twice.
        if (sent.promised().compareAndSet(false, true))
            sent.results().last().whenComplete((result, problem) -> later(sent.call(), result, problem));
        return new ModelAnswer(call.id(), ResultText.ofPending(first), false, true);
    }

    private void later(ToolCall call, @Nullable ToolResult result, @Nullable Throwable failure) {
        Throwable problem = failure instanceof CompletionException wrapper ? wrapper.getCause() : failure;
        if (result != null)
            news.accept(new CallNews(call, ResultText.ofNews(call, result)));
        // A client that was closed leaves its calls to the next process.
        else if (!(problem instanceof ToolFleetClientException known) || known.reason() != Reason.CLOSED)
            news.accept(new CallNews(call, ResultText.ofLost(call, problem == null ? null : problem.getMessage())));
    }

    private void endStep() {
        OpenStep open = step;
        step = null;
        if (open != null) {
            StepStarted of = open.started();
            // Nothing waits for it: a lost end changes nothing for the calls.
            fleet.endStep(new StepEnded(of.instanceKey(), of.agentName(), of.turnId(), of.stepId(), of.stepIndex()));
        }
    }

    /// Returns the first result, or why none came. Otherwise: the failure of one call ends all of its message, and a call
    /// whose sending was not confirmed is made again by the model or the application, and runs twice.
    private static First within(CompletionStage<ToolResult> stage) {
        try {
            return new First(await(stage), null);
        } catch (ToolFleetClientException e) {
            return new First(null, e.getMessage());
        }
    }

    /// Returns the result if it comes until that moment; null otherwise.
    private static @Nullable ToolResult until(long giveUp, CompletionStage<ToolResult> stage) {
        try {
            return stage.toCompletableFuture().get(Math.max(0, giveUp - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // A failure of the later wait becomes news.
            return null;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause)
                throw cause;
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted while a call was awaited; the call goes on in the fleet");
    }
}
