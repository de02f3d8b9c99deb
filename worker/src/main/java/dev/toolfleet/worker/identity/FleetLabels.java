package dev.toolfleet.worker.identity;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.PublishedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.state.TopicView;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/// View of `agent.label`: the labels of all instances of the fleet, and what instances have received from each other
/// (`docs/labels.md`). About 500 bytes for each label of an instance.
///
/// **Contract.** Instances that read each other in a circle are looked at once. A label that has come back to the
/// instance whose result added it does not count there: that instance's own owner knows whether it does.
///
/// **Threads.** The follower's thread applies. Any thread reads and waits for nothing.
public final class FleetLabels implements TopicView {
    private static final Logger LOG = LoggerFactory.getLogger(FleetLabels.class);
    private static final WireCodec<PublishedLabel> PUBLISHED = WireCodec.of(PublishedLabel.class);
    private static final WireCodec<ReceivedLabel> RECEIVED = WireCodec.of(ReceivedLabel.class);

    /// By instance, then by term.
    private final Map<String, Map<String, PublishedLabel>> own = new ConcurrentHashMap<>();
    /// By receiver, then by the record's key.
    private final Map<String, Map<String, Kept>> received = new ConcurrentHashMap<>();
    /// Event whose record counts no more, by the key of an operator's record.
    private final Map<String, String> cleared = new ConcurrentHashMap<>();

    /// @param clearedKey of the label: made once, since each ruling about labels needs it
    private record Kept(ReceivedLabel label, String clearedKey) {}

    /// Creates an empty view.
    public FleetLabels() {}

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (value == null) {
            PublishedLabel.named(key).ifPresent(named -> remove(named.getFirst(), named.getLast()));
            return;
        }
        try {
            switch (Json.MAPPER.readTree(value).path("kind").asString("")) {
                case PublishedLabel.KIND -> add(PUBLISHED.read(value));
                case ReceivedLabel.RECEIVED -> add(RECEIVED.read(value));
                case ReceivedLabel.CLEARED -> {
                    ReceivedLabel order = RECEIVED.read(value);
                    cleared.put(order.key(), order.eventId());
                }
                default -> LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition)
                        .log("record of agent.label skipped: its kind is none that this version knows");
            }
        } catch (WireFormatException | JacksonException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("record of agent.label skipped: it is no valid label");
        }
    }

    private void add(PublishedLabel label) {
        own.computeIfAbsent(label.instanceKey(), _ -> new ConcurrentHashMap<>(2)).put(label.term(), label);
    }

    private void add(ReceivedLabel label) {
        received.computeIfAbsent(label.instanceKey(), _ -> new ConcurrentHashMap<>(2)).put(label.key(),
                new Kept(label, label.clearedKey()));
    }

    private void remove(String instance, String term) {
        own.computeIfPresent(instance, (_, labels) -> {
            labels.remove(term);
            return labels.isEmpty() ? null : labels;
        });
    }

    @Override
    public void forget(int partition) {
        // It is followed as long as the process lives.
    }

    /// True if a label of an instance is published.
    ///
    /// @param term [PublishedLabel#term()]
    boolean isPublished(String instance, String term) {
        return own.getOrDefault(instance, Map.of()).containsKey(term);
    }

    /// Returns the labels that an instance has from others, by name, without those that the reader's own results have added.
    ///
    /// @param reader the instance itself, or one that it writes to
    Map<String, AddedLabel> receivedBy(String instance, String reader) {
        Collection<ReceivedLabel> direct = counting(instance);
        if (direct.isEmpty())
            return Map.of();
        Map<String, AddedLabel> found = new TreeMap<>();
        Set<String> seen = new HashSet<>(Set.of(instance));
        Deque<ReceivedLabel> left = new ArrayDeque<>(direct);
        while (!left.isEmpty()) {
            ReceivedLabel next = left.remove();
            AddedLabel added = next.added();
            if (added != null) {
                note(added, instance, reader, found);
            } else if (seen.add(next.from())) {
                own.getOrDefault(next.from(), Map.of()).values()
                        .forEach(label -> note(label.added(), instance, reader, found));
                left.addAll(counting(next.from()));
            }
        }
        return found;
    }

    private static void note(AddedLabel added, String instance, String reader, Map<String, AddedLabel> found) {
        if (!added.instanceKey().equals(instance) && !added.instanceKey().equals(reader))
            found.putIfAbsent(added.label(), added);
    }

    private Collection<ReceivedLabel> counting(String instance) {
        Map<String, Kept> all = received.get(instance);
        return all == null
                ? List.of()
                : all.values().stream().filter(each -> !each.label().eventId().equals(cleared.get(each.clearedKey())))
                        .map(Kept::label).toList();
    }

    /// True if all labels of another instance count for an instance, those that are still to come, too.
    public boolean readsAllOf(String other, String instance) {
        return counting(instance).stream().anyMatch(label -> label.added() == null && label.from().equals(other));
    }

    /// Returns the records by which labels of others count for an instance, or for all instances, in the order of their
    /// keys.
    ///
    /// @param instance the receiver; null for all
    public List<ReceivedLabel> records(@Nullable String instance) {
        return (instance == null ? received.keySet() : Set.of(instance)).stream().sorted()
                .flatMap(each -> counting(each).stream()).sorted((a, b) -> a.key().compareTo(b.key())).toList();
    }
}
