package dev.toolfleet.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Results that were read before the producer reported the place of their calls.
///
/// A result is kept while a call of its instance is under way that was registered before the result was read. No later
/// call can be the one that it answers. Guarded by the lock of [OpenCalls].
final class ParkedResults {
    /// The most results of one instance that wait for one slow send.
    static final int MAX_PER_INSTANCE = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ParkedResults.class);

    /// @param before the number of the first call that was registered after the result was read
    private record Parked(ArrivedResult arrived, long before) {}

    private static final class Instance {
        // In the order in which they were registered, with their numbers.
        private final Map<OpenCall, Long> sending = new LinkedHashMap<>();
        private final Deque<Parked> results = new ArrayDeque<>();
        private boolean losing;
    }

    private final Map<String, Instance> instances = new HashMap<>();
    private long nextNumber;

    /// Registers a call before it is sent.
    void sending(String instanceKey, OpenCall call) {
        instances.computeIfAbsent(instanceKey, key -> new Instance()).sending.put(call, nextNumber++);
    }

    /// Keeps a result that answers no call with a known place.
    void park(ArrivedResult arrived) {
        Instance instance = instances.get(arrived.result().instanceKey());
        if (instance == null)
            return;
        instance.results.add(new Parked(arrived, nextNumber));
        if (instance.results.size() > MAX_PER_INSTANCE) {
            ArrivedResult lost = instance.results.remove().arrived();
            if (!instance.losing) {
                LOG.warn("too many results wait for a call that is being sent; a call that is answered by this one or"
                        + " the next ones times out; partition={} offset={}", lost.partition(), lost.offset());
            }
            instance.losing = true;
        }
    }

    /// Removes and returns the results that answer a call whose place is known now.
    List<ArrivedResult> take(String instanceKey, OpenCall call) {
        List<ArrivedResult> taken = new ArrayList<>(1);
        Instance instance = instances.get(instanceKey);
        if (instance == null)
            return taken;
        for (Iterator<Parked> each = instance.results.iterator(); each.hasNext();) {
            ArrivedResult arrived = each.next().arrived();
            if (call.matches(arrived)) {
                each.remove();
                taken.add(arrived);
            }
        }
        return taken;
    }

    /// Forgets a call that is no longer under way, and drops the results that no call can need any more.
    void done(String instanceKey, OpenCall call) {
        Instance instance = instances.get(instanceKey);
        if (instance == null)
            return;
        instance.sending.remove(call);
        if (instance.sending.isEmpty()) {
            instances.remove(instanceKey);
            return;
        }
        long oldest = instance.sending.values().iterator().next();
        while (!instance.results.isEmpty() && instance.results.element().before() <= oldest)
            instance.results.remove();
    }

    int size() {
        return instances.values().stream().mapToInt(instance -> instance.results.size()).sum();
    }
}
