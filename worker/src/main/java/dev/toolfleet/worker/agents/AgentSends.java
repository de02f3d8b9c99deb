package dev.toolfleet.worker.agents;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import org.jspecify.annotations.Nullable;

/// Messages of one call to agents. They are published in the transaction of the call's result, or not at all if that is
/// an error. Thread-safe.
public final class AgentSends {
    private final List<AgentEvent> events = new ArrayList<>();
    private final List<AgentInstance> instances = new ArrayList<>();
    private boolean knowsLabels = true;

    /// Adds an event.
    synchronized void add(AgentEvent event) {
        events.add(event);
    }

    /// Adds an instance.
    synchronized void add(AgentInstance instance) {
        instances.add(instance);
    }

    /// Notes that this worker may not know each label that the sender has from others.
    synchronized void withoutLabels() {
        knowsLabels = false;
    }

    /// True if this worker knows each label that the sender had from others when it sent.
    public synchronized boolean knowsLabels() {
        return knowsLabels;
    }

    synchronized Optional<AgentInstance> spawned(AgentAddress address) {
        return instances.stream().filter(instance -> instance.address().equals(address)).findFirst();
    }

    /// Discards the messages of an earlier start, because the handler starts anew.
    public synchronized void discard() {
        events.clear();
        instances.clear();
        knowsLabels = true;
    }

    /// Takes the messages of a call that ran on a worker which has lost its partition.
    public synchronized void handedOver(@Nullable List<AgentEvent> said, @Nullable List<AgentInstance> spawned) {
        discard();
        withoutLabels();
        if (said != null)
            events.addAll(said);
        if (spawned != null)
            instances.addAll(spawned);
    }

    /// Returns the events so far, in order.
    public synchronized List<AgentEvent> events() {
        return List.copyOf(events);
    }

    /// Returns the instances so far, in order.
    public synchronized List<AgentInstance> instances() {
        return List.copyOf(instances);
    }
}
