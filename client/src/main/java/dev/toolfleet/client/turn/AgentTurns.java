package dev.toolfleet.client.turn;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Turns of one agent, and the news of their calls.
///
/// **Contract.** News of a conversation wait until [#takeNews] hands them out, once; the oldest of more than
/// 10,000 are dropped with a warning. They live in this process: a process
/// that starts anew finds the results of earlier calls by [dev.toolfleet.client.ToolFleetClient#await] or in the
/// conversation's session.
///
/// **Threads.** Thread-safe; one per agent and process is enough.
public final class AgentTurns {
    /// Time that a pending call has for its final result before it is answered as pending.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final TurnFleet fleet;
    private final String agentName;
    private final Duration patience;
    private final Consumer<CallNews> listener;
    private final NewsInbox inbox;

    private AgentTurns(TurnFleet fleet, String agentName, Duration patience, Consumer<CallNews> listener,
            NewsInbox inbox) {
        if (patience.isNegative())
            throw new IllegalArgumentException("patience must not be negative, got " + patience);
        this.fleet = fleet;
        this.agentName = agentName;
        this.patience = patience;
        this.listener = listener;
        this.inbox = inbox;
    }

    /// Turns of an agent that the fleet's bundles declare; its pending calls have one second for their final results.
    public static AgentTurns of(TurnFleet fleet, String agentName) {
        return new AgentTurns(fleet, agentName, PATIENCE, news -> {}, new NewsInbox());
    }

    /// The same with another time that a pending call has for its final result before it is answered as pending.
    public AgentTurns waitingForWork(Duration newPatience) {
        return new AgentTurns(fleet, agentName, newPatience, listener, inbox);
    }

    /// The same with a listener that hears of each news, once it can be taken. It runs on a virtual thread of its own, so
    /// it may begin a turn. Otherwise: a result that arrives as its call is answered begins a turn within that turn.
    public AgentTurns onNews(Consumer<CallNews> newListener) {
        return new AgentTurns(fleet, agentName, patience, newListener, inbox);
    }

    /// Begins a turn. Nothing is sent until its first step.
    public ModelTurn begin(TurnStart start) {
        return new ModelTurn(fleet, agentName, start, patience, this::arrived);
    }

    /// Returns the news of a conversation that are not taken yet, in the order of their arrival.
    public List<CallNews> takeNews(String instanceKey) {
        return inbox.take(instanceKey);
    }

    /// Puts news back that were taken for a request to the model which then failed, before those that came since. No
    /// listener hears of them again.
    public void putBackNews(List<CallNews> taken) {
        inbox.putBack(taken);
    }

    private void arrived(CallNews news) {
        inbox.add(news);
        Thread.startVirtualThread(() -> listener.accept(news));
    }
}
