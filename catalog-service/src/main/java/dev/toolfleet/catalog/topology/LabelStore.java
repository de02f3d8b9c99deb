package dev.toolfleet.catalog.topology;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.json.Json;
import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.wire.InstanceLabel;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Bytes of the store of the instances' labels, by instanceKey: a mapping of their terms to their counts, as the
/// partition's journal has them.
final class LabelStore {
    static final String NAME = "labels";

    private LabelStore() {}

    static void put(KeyValueStore<String, byte[]> store, InstanceLabel label) {
        ObjectNode labels = read(store.get(label.instanceKey()));
        labels.put(label.term(), label.count());
        store.put(label.instanceKey(), Json.MAPPER.writeValueAsBytes(labels));
    }

    static void remove(KeyValueStore<String, byte[]> store, String instance, String term) {
        byte[] bytes = store.get(instance);
        if (bytes == null)
            return;
        ObjectNode labels = read(bytes);
        labels.remove(term);
        if (labels.isEmpty())
            store.delete(instance);
        else
            store.put(instance, Json.MAPPER.writeValueAsBytes(labels));
    }

    /// Returns the labels of an instance that no operator has cleared.
    static Set<String> of(KeyValueStore<String, byte[]> store, String instance, ClearedLabels cleared) {
        byte[] bytes = store.get(instance);
        if (bytes == null)
            return Set.of();
        Set<String> labels = new TreeSet<>();
        read(bytes).forEachEntry((term, count) -> {
            String label = InstanceLabel.labelOf(term);
            if (count.asLong() > cleared.upTo(instance, label))
                labels.add(label);
        });
        return labels;
    }

    private static ObjectNode read(byte @Nullable [] bytes) {
        try {
            return bytes != null && Json.MAPPER.readTree(bytes) instanceof ObjectNode labels
                    ? labels
                    : JsonNodeFactory.instance.objectNode();
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
