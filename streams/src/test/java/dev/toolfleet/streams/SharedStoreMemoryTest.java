package dev.toolfleet.streams;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SharedStoreMemoryTest {
    private static final List<String> NAMES = List.of("one", "two", "three", "four");
    private static final int VALUE_BYTES = 64 << 10;
    /// The size of the block being filled, which each store may have beyond the bound.
    private static final long SLACK = 4L << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void whatIsWrittenAndReadInManyStoresStaysWithinOneBound() {
        try (FourStores some = new FourStores(folder.resolve("a"));
                FourStores others = new FourStores(folder.resolve("b"))) {
            List<KeyValueStore<String, byte[]>> all = new ArrayList<>(some.stores());
            all.addAll(others.stores());
            long written = 2 * SharedStoreMemory.BYTES;
            for (int i = 0; i < written / VALUE_BYTES; i++)
                all.get(i % all.size()).put("key" + i, incompressible(i));

            // Full buffers are written to disk in the background.
            Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(
                    () -> assertThat(some.sum("size-all-mem-tables") + others.sum("size-all-mem-tables"))
                            .isBetween(1L, SharedStoreMemory.WRITE_BUFFER_BYTES + SLACK));
            // From files, most of it.
            all.forEach(SharedStoreMemoryTest::readAll);
            assertThat(some.each("block-cache-capacity")).containsOnly(SharedStoreMemory.BYTES);
            // More than two stores together hold.
            assertThat(some.each("block-cache-usage")).hasSameSizeAs(NAMES).allSatisfy(
                    usage -> assertThat(usage).isBetween(2 * written / all.size(), SharedStoreMemory.BYTES + SLACK));
        }
    }

    @Test
    void aStoreWithLittleInItTakesLittleSoThatHundredsFit() {
        try (FourStores stores = new FourStores(folder)) {
            stores.stores().forEach(store -> store.put("key", new byte[5000]));

            assertThat(stores.sum("size-all-mem-tables"))
                    .isBetween(1L, NAMES.size() * SharedStoreMemory.WRITE_BUFFER_BYTES / 200);
        }
    }

    @Test
    void aStoreThatOpensAfterOthersHaveClosedSharesTheMemoryToo() {
        try (FourStores before = new FourStores(folder.resolve("a"))) {
            before.stores().getFirst().put("key", incompressible(1));
        }
        try (FourStores after = new FourStores(folder.resolve("b"))) {
            KeyValueStore<String, byte[]> store = after.stores().getFirst();
            store.put("key", incompressible(2));

            assertThat(store.get("key")).isEqualTo(incompressible(2));
            assertThat(after.each("block-cache-capacity")).containsOnly(SharedStoreMemory.BYTES);
        }
    }

    private static byte[] incompressible(int seed) {
        byte[] bytes = new byte[VALUE_BYTES];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void readAll(KeyValueStore<String, byte[]> store) {
        try (KeyValueIterator<String, byte[]> entries = store.all()) {
            assertThat(entries.hasNext()).isTrue();
            entries.forEachRemaining(entry -> assertThat(entry.value).hasSize(VALUE_BYTES));
        }
    }

    /// Four stores of one topology, with the settings of the fleet.
    private static final class FourStores implements AutoCloseable {
        private final TopologyTestDriver driver;

        FourStores(Path folder) {
            Topology topology = new Topology();
            topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "in");
            topology.addProcessor("nothing", Nothing::new, "in");
            for (String name : NAMES) {
                topology.addStateStore(Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name),
                        Serdes.String(), Serdes.ByteArray()).withLoggingDisabled(), "nothing");
            }
            driver = new TopologyTestDriver(topology,
                    new StreamsSettings("test", folder, -1, Map.of("bootstrap.servers", "none:1")).properties(),
                    Instant.EPOCH);
        }

        List<KeyValueStore<String, byte[]>> stores() {
            return NAMES.stream().map(driver::<String, byte[]>getKeyValueStore).toList();
        }

        /// A property of RocksDB, of each store.
        List<Long> each(String property) {
            return driver.metrics().entrySet().stream().filter(metric -> metric.getKey().name().equals(property))
                    .map(metric -> ((BigInteger) metric.getValue().metricValue()).longValueExact()).toList();
        }

        long sum(String property) {
            List<Long> values = each(property);
            assertThat(values).hasSameSizeAs(NAMES);
            return values.stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public void close() {
            driver.close();
        }
    }

    private static final class Nothing implements Processor<byte[], byte[], Void, Void> {
        @Override
        public void process(Record<byte[], byte[]> record) {}
    }
}
