package dev.toolfleet.worker.lane;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.identity.Arrival;
import org.apache.kafka.clients.consumer.MockConsumer;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Lanes whose calls the test ends. A call whose name begins with `read` is read-only.
final class LanesFixture {
    static final long EPOCH = 7;
    private static final Duration SOON = Duration.ofSeconds(60);

    final Ownership ownership;
    final Lanes lanes;
    final PartitionLoads uncommitted = new PartitionLoads();
    /// Ids of calls in the order in which they started, by instance.
    final List<String> started = new CopyOnWriteArrayList<>();
    private final Map<String, LaneSlot> running = new ConcurrentHashMap<>();
    private long offset;

    LanesFixture(LaneLimits limits, int partitions) {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            ownership = new Ownership(member.groupMetadata());
        }
        own(partitions);
        lanes = new Lanes(limits, uncommitted, ownership,
                arrival -> arrival instanceof Arrival.Call call && call.call().name().startsWith("read"), slot -> {
                    started.add(id(slot));
                    running.put(id(slot), slot);
                });
    }

    private static String id(LaneSlot slot) {
        return switch (slot.arrival()) {
            case Arrival.Call call -> call.call().id();
            case Arrival.Granted granted -> granted.call().call().id();
            case Arrival.Malformed malformed -> throw new AssertionError(malformed.reason());
        };
    }

    void own(int partitions) {
        Map<Integer, Long> epochs = new ConcurrentHashMap<>();
        for (int partition = 0; partition < partitions; partition++)
            epochs.put(partition, EPOCH);
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), epochs));
    }

    boolean offer(String instance, String name, String id) {
        return offer(0, instance, name, id, 10);
    }

    boolean offer(int partition, String instance, String name, String id, int bytes) {
        return offer(partition, 0, instance, name, id, bytes);
    }

    void offerAt(long appendedAt, String instance, String id) {
        assertThat(offer(0, appendedAt, instance, "write", id, 10)).isTrue();
    }

    private boolean offer(int partition, long appendedAt, String instance, String name, String id, int bytes) {
        ToolCall call = ToolCall.of(id, name, JsonNodeFactory.instance.objectNode(), instance);
        return lanes.offer(new Arrival.Call(new Position(partition, EPOCH, offset++), call, appendedAt, null, bytes));
    }

    /// A call that a person has approved, and which was read long ago.
    boolean approve(String instance, String name, String id) {
        ToolCall call = ToolCall.of(id, name, JsonNodeFactory.instance.objectNode(), instance);
        ResumedCall.Grant grant = new ResumedCall.Grant("h-" + id, "sha256:1", "rule", null, null, null, "p",
                Instant.EPOCH);
        return lanes.offer(Arrival.Granted.of(Position.resumed(0, EPOCH, offset++),
                new ResumedCall(call, 0, grant, null, null, null), 10, () -> {}));
    }

    /// Waits until exactly these calls run.
    void running(String... ids) {
        await().pollInterval(Duration.ofMillis(1)).atMost(SOON)
                .untilAsserted(() -> assertThat(running.keySet()).containsExactlyInAnyOrder(ids));
    }

    LaneSlot slot(String id) {
        LaneSlot slot = running.get(id);
        assertThat(slot).as("running: %s", id).isNotNull();
        return java.util.Objects.requireNonNull(slot);
    }

    void end(String... ids) {
        for (String id : ids) {
            LaneSlot slot = slot(id);
            running.remove(id);
            slot.release();
        }
    }

    Set<String> runningNow() {
        return new HashSet<>(running.keySet());
    }
}
