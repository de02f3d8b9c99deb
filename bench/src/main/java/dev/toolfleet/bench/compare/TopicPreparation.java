package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

import dev.toolfleet.bench.engine.ComparedBundle;
import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.bench.engine.ComparedCode;
import dev.toolfleet.bench.fleet.BenchBundle;
import dev.toolfleet.bench.fleet.CatalogMain;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Writes the records that stand on the topics before a measurement. Used by one thread.
final class TopicPreparation {
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 5;
    private static final List<String> CATALOG_FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=bench-logback.xml");

    private final Ground.Place place;

    TopicPreparation(Ground.Place place) {
        this.place = place;
    }

    private Map<String, Object> client() {
        return Map.of("bootstrap.servers", place.bootstrapServers());
    }

    /// Publishes the bundle, and has a catalog service answer one step of each instance. The service has ended when
    /// this returns, so that the machine belongs to what is measured.
    void fleet(KeyMix keys, ComparedCode code) throws IOException, InterruptedException {
        BenchBundle.publish(ComparedBundle.declared(code, code.files(place.path("bundles").resolve(BenchBundle.NAME))),
                place.topic(Topic.RESOURCE), client());
        try (ChildJvm service = catalogService()) {
            AtomicInteger next = new AtomicInteger();
            write(Topic.STEP, keys.keys(), next::getAndIncrement, (number, key) -> ComparedCalls.step(key));
            awaitCatalogs(keys.keys());
            service.terminate();
            if (!service.awaitEnd(STOP))
                throw new IllegalStateException("the catalog service does not end; " + place.path("catalog.log"));
        }
    }

    /// A service gives up when its start takes long; on a busy machine the next one may be luckier.
    private ChildJvm catalogService() throws InterruptedException {
        for (int attempt = 1;; attempt++) {
            ChildJvm service = ChildJvm.start(new ChildJvm.Launch(CatalogMain.class, CATALOG_FLAGS,
                    List.of(place.path("catalog").toString(), place.topics().prefix(),
                            "bootstrap.servers=" + place.bootstrapServers()),
                    place.path("catalog.log")));
            try {
                service.awaitReady(READY);
                return service;
            } catch (IllegalStateException e) {
                service.close();
                if (attempt == ATTEMPTS)
                    throw e;
            } catch (InterruptedException e) {
                service.close();
                throw e;
            }
        }
    }

    private void awaitCatalogs(int instances) {
        Set<String> answered = new HashSet<>();
        long giveUp = System.nanoTime() + READY.toNanos();
        try (TopicScan catalogs = place.reader(Topic.CATALOG_STEP)) {
            while (answered.size() < instances) {
                for (var record : catalogs.poll(Duration.ofMillis(100)))
                    answered.add(CATALOGS.read(record.value()).instanceKey());
                if (System.nanoTime() > giveUp)
                    throw new IllegalStateException("of " + instances + " steps, " + answered.size()
                            + " were answered within " + READY.toSeconds() + " s; " + place.path("catalog.log"));
            }
        }
    }

    /// Writes calls, and returns when the broker has them.
    void calls(ComparedCalls calls, int count, IntSupplier keys) {
        write(Topic.CALL, count, keys, calls::call);
    }

    private interface Value {
        byte[] of(int number, int key);
    }

    private void write(Topic topic, int count, IntSupplier keys, Value value) {
        AtomicReference<@Nullable Exception> problem = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", place.bootstrapServers(), "linger.ms", 20, "batch.size", 256 * 1024),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int number = 0; number < count; number++) {
                int key = keys.getAsInt();
                var _ = producer.send(new ProducerRecord<>(place.topic(topic), ComparedCalls.key(key),
                        value.of(number, key)), (metadata, failure) -> {
                            if (failure != null)
                                problem.compareAndSet(null, failure);
                        });
            }
            producer.flush();
        }
        Exception failure = problem.get();
        if (failure != null)
            throw new IllegalStateException("not all records of " + place.topic(topic) + " could be written: "
                    + failure.getMessage(), failure);
    }
}
