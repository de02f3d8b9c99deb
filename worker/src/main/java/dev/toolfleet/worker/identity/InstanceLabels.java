package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.LabelOrder;

/// Labels of the instances of a partition (`docs/labels.md`).
///
/// **Contract.** A label counts from the moment at which the result that adds it is handed to the transaction loop, so
/// before any reader can see that result. It counts until an operator has cleared it, or for as long as the partition is
/// assigned; the next owner reads it from the journal.
///
/// Labels that an instance has from other instances count from the moment at which [#caughtUp()] has returned.
///
/// **Threads.** Thread-safe: the take-over restores, call threads read and add. Only [#caughtUp()] waits.
public final class InstanceLabels {
    /// Time for which the entry of a cleared label stays: an order holds for less, also by a clock that is an hour behind.
    static final Duration CLEARED_KEPT = LabelOrder.HOLDS.plusHours(1);

    /// By instance, then by term.
    private final Map<String, Map<String, InstanceLabel>> byInstance = new HashMap<>();
    private volatile ToLongFunction<InstanceLabel> clearedUpTo = label -> 0;
    private volatile Fleet fleet = Fleet.NONE;

    /// Labels of all instances of the fleet.
    public interface Fleet {
        /// Knows no other instance, and publishes nothing.
        Fleet NONE = new Fleet() {
            @Override
            public boolean isPublished(String instance, String term) {
                return true;
            }

            @Override
            public Map<String, AddedLabel> receivedBy(String instance, String reader) {
                return Map.of();
            }

            @Override
            public boolean caughtUp() {
                return true;
            }
        };

        /// True if a label of an instance is published.
        ///
        /// @param term [InstanceLabel#term()]
        boolean isPublished(String instance, String term);

        /// Returns the labels that an instance has from others, by name, without those that the reader's own results have
        /// added.
        ///
        /// @param reader the instance itself, or one that it writes to
        Map<String, AddedLabel> receivedBy(String instance, String reader);

        /// Waits until every label is known that was written before this call.
        ///
        /// @return false if they cannot be read now
        boolean caughtUp() throws InterruptedException;

        /// Labels as the topic `agent.label` has them.
        record Followed(FleetLabels view, FollowedTopic topic) implements Fleet {
            @Override
            public boolean isPublished(String instance, String term) {
                return view.isPublished(instance, term);
            }

            @Override
            public Map<String, AddedLabel> receivedBy(String instance, String reader) {
                return view.receivedBy(instance, reader);
            }

            @Override
            public boolean caughtUp() throws InterruptedException {
                return topic.caughtUp();
            }
        }
    }

    InstanceLabels() {}

    /// Sets the source of what operators have cleared: for a label, the count up to which it is cleared, 0 for none.
    void clearedBy(ToLongFunction<InstanceLabel> orders) {
        clearedUpTo = orders;
    }

    /// Sets the source of what instances have from others.
    void knownFrom(Fleet source) {
        fleet = source;
    }

    /// Waits until every label is known that another instance was given for one of these before this call.
    ///
    /// @return false if they cannot be read now
    public boolean caughtUp() throws InterruptedException {
        return fleet.caughtUp();
    }

    /// Restores an entry of the journal.
    public synchronized void restore(InstanceLabel label) {
        byInstance.computeIfAbsent(label.instanceKey(), _ -> new TreeMap<>()).put(label.term(), label);
    }

    /// Restores the end of an entry.
    public synchronized void restoreEnd(String instance, String term) {
        byInstance.computeIfPresent(instance, (_, labels) -> {
            labels.remove(term);
            return labels.isEmpty() ? null : labels;
        });
    }

    /// Returns the labels of an instance, in the order of their names. One that its own results have added names these,
    /// also when it has the label from others, too.
    public List<AddedLabel> of(String instance) {
        return of(instance, instance);
    }

    /// Returns those that go with a message to a reader. A label that the reader has added itself does not count there, so
    /// where another instance has added the same one, that goes.
    public List<AddedLabel> of(String instance, String reader) {
        List<AddedLabel> own = own(instance);
        Map<String, AddedLabel> received = fleet.receivedBy(instance, reader);
        if (received.isEmpty())
            return own;
        Map<String, AddedLabel> all = new TreeMap<>(received);
        own.forEach(label -> all.put(label.label(), label));
        return List.copyOf(all.values());
    }

    private synchronized List<AddedLabel> own(String instance) {
        Map<String, InstanceLabel> labels = byInstance.get(instance);
        if (labels == null)
            return List.of();
        Map<String, AddedLabel> own = new TreeMap<>();
        for (InstanceLabel label : labels.values()) {
            if (label.counts() && label.count() > clearedUpTo.applyAsLong(label))
                own.put(label.added().label(), label.added());
        }
        return List.copyOf(own.values());
    }

    /// Adds labels to an instance, before the result that adds them is handed on, and notes which ones an operator has
    /// cleared. Returns the entries, which belong into the transaction of that result.
    ///
    /// A label that was cleared begins a new term, with a key of its own: results that end side by side may be committed in
    /// reverse order, and the entry of the cleared one would take the place of the new one. The entry of the cleared one
    /// stays for as long as an order can hold. Otherwise: an owner that does not know the order counts from 1 again, and at
    /// the next owner the order clears the new label, too.
    public synchronized WrittenLabels add(String instance, Collection<AddedLabel> added, Instant now) {
        if (added.isEmpty() && !byInstance.containsKey(instance))
            return WrittenLabels.NOTHING;
        Map<String, InstanceLabel> labels = byInstance.computeIfAbsent(instance, _ -> new TreeMap<>());
        List<InstanceLabel> cleared = new ArrayList<>();
        List<InstanceLabel> ended = new ArrayList<>();
        long count = 0;
        for (InstanceLabel label : labels.values()) {
            count = Math.max(count, label.count());
            if (hasEnded(label, now))
                ended.add(label);
            else if (label.counts() && label.count() <= clearedUpTo.applyAsLong(label))
                cleared.add(label.clearedAt(now));
        }
        ended.forEach(label -> labels.remove(label.term()));
        cleared.forEach(label -> labels.put(label.term(), label));
        List<InstanceLabel> written = new ArrayList<>();
        List<InstanceLabel> published = new ArrayList<>();
        for (AddedLabel one : added) {
            InstanceLabel label = new InstanceLabel(instance, count + 1, since(labels, one.label(), count + 1), one);
            labels.put(label.term(), label);
            written.add(label);
            // By what the fleet knows, not by what was written: a result that is committed first must publish it, too.
            if (!fleet.isPublished(instance, label.term()))
                published.add(label);
        }
        if (labels.isEmpty())
            byInstance.remove(instance);
        return new WrittenLabels(written, cleared, ended, published);
    }

    private static boolean hasEnded(InstanceLabel label, Instant now) {
        Instant cleared = label.clearedAt();
        return cleared != null && cleared.plus(CLEARED_KEPT).isBefore(now);
    }

    private static long since(Map<String, InstanceLabel> labels, String name, long now) {
        return labels.values().stream().filter(label -> label.counts() && label.added().label().equals(name))
                .mapToLong(InstanceLabel::since).max().orElse(now);
    }
}
