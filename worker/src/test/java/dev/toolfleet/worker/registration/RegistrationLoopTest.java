package dev.toolfleet.worker.registration;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.worker.registry.OfferedTools;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class RegistrationLoopTest implements RegistrationLoop.Fleet {
    private static final RegistrationOwner WEATHER = RegistrationOwner.extension("acme", "coder", "weather");

    private final List<MockProducer<byte[], byte[]>> made = new CopyOnWriteArrayList<>();
    private volatile boolean elected;
    private volatile boolean readable = true;
    private volatile List<OfferedTools> offered = List.of();
    private final AtomicLong changes = new AtomicLong();
    private final AtomicInteger asks = new AtomicInteger();
    private final RegistrationLoop loop = new RegistrationLoop(
            new RegistrationLoop.Setup("tool.resource", "w1", Duration.ofSeconds(30)), () -> elected, this::producer,
            this, InstantSource.fixed(Instant.EPOCH));

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void onlyTheElectedWorkerWritesAndStopsWhenAnotherIs() {
        offer("sky__look");
        loop.start();
        elected = true;
        await().atMost(Duration.ofMinutes(1)).until(() -> !made.isEmpty() && made.getFirst().history().size() == 2);
        assertThat(made.getFirst().transactionInitialized()).isTrue();

        elected = false;
        await().atMost(Duration.ofMinutes(1)).until(() -> made.getFirst().closed());
        offer("sky__look", "sky__forecast");
        elected = true;
        await().atMost(Duration.ofMinutes(1)).until(() -> made.size() == 2 && !made.getLast().history().isEmpty());
        assertThat(made.getFirst().history()).hasSize(2);
    }

    @Test
    void aFencedWriterReadsAgainBeforeItWritesAgain() {
        elected = true;
        offer("sky__look");
        loop.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> !made.isEmpty() && made.getFirst().history().size() == 2);

        readable = false;
        made.getFirst().fenceProducer();
        offer("sky__forecast");
        await().atMost(Duration.ofMinutes(1)).until(() -> made.size() > 1 && made.get(1).closed());
        assertThat(made.get(1).history()).as("what could not be read is not written over").isEmpty();
        readable = true;
        await().atMost(Duration.ofMinutes(1)).until(() -> !made.getLast().history().isEmpty());
    }

    @Test
    void aFleetWithoutPublishedToolsMakesNoProducer() {
        elected = true;
        loop.start();
        int asked = asks.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> asks.get() > asked + 1);

        assertThat(made).isEmpty();
    }

    private void offer(String... tools) {
        Map<String, ToolDeclaration> declared = new HashMap<>();
        for (String tool : tools)
            declared.put(tool, ToolDeclaration.of(tool, "does it", Json.MAPPER.createObjectNode()));
        offered = List.of(new OfferedTools(WEATHER, Instant.EPOCH, declared, Set.of()));
        changes.incrementAndGet();
    }

    private Producer<byte[], byte[]> producer() {
        MockProducer<byte[], byte[]> producer = new MockProducer<>(true, new RoundRobinPartitioner(),
                new ByteArraySerializer(), new ByteArraySerializer());
        made.add(producer);
        return producer;
    }

    @Override
    public List<OfferedTools> offered() {
        asks.incrementAndGet();
        return offered;
    }

    @Override
    public long changes() {
        return changes.get();
    }

    @Override
    public FleetResources resources() {
        return FleetResources.EMPTY;
    }

    @Override
    public CompletableFuture<Void> readToItsEnd() {
        return readable
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(new IllegalStateException("not readable now"));
    }
}
