package dev.toolfleet.catalog.topology;

import java.util.Optional;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/// Contents on `tool.catalog.content`, from every service, for HTTP requests. On disk: contents of many agents may be
/// large, and few are requested.
public final class ContentTable {
    static final String NAME = "contents";
    private static final String SOURCE = "from-content";
    private static final String PROCESSOR = "keep-content";

    private ContentTable() {}

    /// Adds the table to a topology.
    public static void addTo(Topology topology, Topics names) {
        topology.addGlobalStore(
                Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(NAME), Serdes.String(), Serdes.ByteArray())
                        .withLoggingDisabled(),
                SOURCE, new StringDeserializer(), new ByteArrayDeserializer(), names.name(Topic.CATALOG_CONTENT),
                PROCESSOR, Keep::new);
    }

    /// Returns the content of that digest, as canonical JSON; empty when it has not been read.
    ///
    /// @throws org.apache.kafka.streams.errors.InvalidStateStoreException when the store cannot be read now
    public static Optional<byte[]> read(KafkaStreams streams, String digest) {
        return Optional.ofNullable(streams.store(StoreQueryParameters.fromNameAndType(NAME,
                QueryableStoreTypes.<String, byte[]>keyValueStore())).get(digest));
    }

    private static final class Keep implements Processor<String, byte[], Void, Void> {
        private @Nullable KeyValueStore<String, byte[]> contents;

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            contents = context.getStateStore(NAME);
        }

        @Override
        public void process(Record<String, byte[]> record) {
            if (contents != null && record.key() != null)
                contents.put(record.key(), record.value());
        }
    }
}
