package dev.toolfleet.cli.backtest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.PublishedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Labels that instances have from others, by `agent.label`, with the time since when each counts. Some 300 bytes for each
/// message or request of an instance to another. Immutable once read; any thread may look then.
///
/// **Contract.** A label counts from the first record that is still there. Operators' records that clear one are passed
/// over, as all that they have cleared is here.
final class TravelledLabels {
    /// No labels.
    static final TravelledLabels NONE = new TravelledLabels(0);
    /// The most messages and requests that a run keeps.
    static final int MOST = 300_000;

    private static final WireCodec<PublishedLabel> PUBLISHED = WireCodec.of(PublishedLabel.class);
    private static final WireCodec<ReceivedLabel> RECEIVED = WireCodec.of(ReceivedLabel.class);

    private final int most;
    /// By instance, then by label.
    private final Map<String, Map<String, Long>> since = new HashMap<>();
    /// By the instance whose labels count for them.
    private final Map<String, List<Requester>> requesters = new HashMap<>();
    private final Deque<Gain> gains = new ArrayDeque<>();
    private int kept;
    private long dropped;

    /// @param since the time of its request
    private record Requester(String instance, long since) {}

    /// @param origin the instance whose result added the label
    private record Gain(String instance, String label, long since, String origin) {}

    private TravelledLabels(int most) {
        this.most = most;
    }

    /// Reads them.
    ///
    /// @param topic hands all records of `agent.label` to a sink; called twice
    /// @param most the number of messages and requests that are kept
    static TravelledLabels read(Consumer<TopicScan.Sink> topic, int most) {
        TravelledLabels labels = new TravelledLabels(most);
        topic.accept(labels::received);
        // Labels of an instance matter only if another one has requested something of it.
        topic.accept(labels::published);
        labels.settle();
        return labels;
    }

    private void received(ConsumerRecord<byte[], byte[]> record) {
        ReceivedLabel label = read(record.value(), ReceivedLabel.RECEIVED, RECEIVED);
        if (label == null)
            return;
        if (kept >= most) {
            dropped++;
            return;
        }
        kept++;
        AddedLabel added = label.added();
        if (added == null)
            requesters.computeIfAbsent(label.from(), made -> new ArrayList<>(1))
                    .add(new Requester(label.instanceKey(), record.timestamp()));
        else
            gains.add(new Gain(label.instanceKey(), added.label(), record.timestamp(), added.instanceKey()));
    }

    private void published(ConsumerRecord<byte[], byte[]> record) {
        PublishedLabel label = read(record.value(), PublishedLabel.KIND, PUBLISHED);
        if (label != null)
            pass(new Gain(label.instanceKey(), label.added().label(), record.timestamp(),
                    label.added().instanceKey()));
    }

    private static <T> @Nullable T read(byte @Nullable [] value, String kind, WireCodec<T> codec) {
        if (value == null)
            return null;
        try {
            return Json.MAPPER.readTree(value).path("kind").asString("").equals(kind) ? codec.read(value) : null;
        } catch (WireFormatException | JacksonException e) {
            // Workers pass it over, too.
            return null;
        }
    }

    /// An instance passes a label on to those that have requested something of it.
    private void pass(Gain gain) {
        for (Requester each : requesters.getOrDefault(gain.instance(), List.of()))
            gains.add(new Gain(each.instance(), gain.label(), Math.max(gain.since(), each.since()), gain.origin()));
    }

    /// Ends, since a label of an instance is passed on again only with an earlier time.
    private void settle() {
        while (!gains.isEmpty()) {
            Gain gain = gains.remove();
            if (gain.origin().equals(gain.instance()))
                continue;
            Map<String, Long> known = since.computeIfAbsent(gain.instance(), made -> new HashMap<>(2));
            if (known.getOrDefault(gain.label(), Long.MAX_VALUE) <= gain.since())
                continue;
            known.put(gain.label(), gain.since());
            pass(gain);
        }
        requesters.clear();
    }

    /// Returns the labels of an instance at a time: its own and those from others.
    PastLabels with(PastLabels own, String instance, long millis) {
        Map<String, Long> known = since.get(instance);
        if (known == null)
            return own;
        Set<String> names = new TreeSet<>();
        known.forEach((label, from) -> {
            if (from <= millis)
                names.add(label);
        });
        return own.and(new PastLabels(names, names));
    }

    /// Messages and requests that were not kept, because there were too many.
    long dropped() {
        return dropped;
    }
}
