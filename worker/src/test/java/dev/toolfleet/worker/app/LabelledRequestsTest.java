package dev.toolfleet.worker.app;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.worker.identity.FleetLabels;
import dev.toolfleet.worker.record.Records;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class LabelledRequestsTest {
    private final Records records = new Records(new Topics(""), "w1", "", InstantSource.system(),
            new WorkerMeters(new SimpleMeterRegistry()));
    private final FleetLabels labels = new FleetLabels();
    private final List<ProducerRecord<byte[], byte[]>> published = new ArrayList<>();

    @Test
    void aRequestFollowsOnceBothInstancesAreKnownAsReaders() throws InterruptedException {
        List<Integer> before = new ArrayList<>();
        LabelledRequests requests = new LabelledRequests(() -> records, labels, () -> {
            before.add(published.size());
            if (before.size() == 3)
                published.forEach(record -> labels.apply(0, new String(record.key(), UTF_8), record.value(), 0));
            return true;
        }, published::add);

        requests.send(request("i/r"));

        assertThat(before).as("the request waits for its labels").containsExactly(2, 2, 2);
        assertThat(published).extracting(ProducerRecord::topic).containsExactly("agent.label", "agent.label",
                "agent.event");
    }

    @Test
    void aRequestWithinAnInstanceHasNothingToWaitFor() throws InterruptedException {
        new LabelledRequests(() -> records, labels, () -> false, published::add).send(request("i"));

        assertThat(published).extracting(ProducerRecord::topic).containsExactly("agent.event");
    }

    private static AgentEvent request(String instance) {
        return new AgentEvent("e1", AgentEvent.Type.DELEGATE, new AgentAddress("planner", "i"),
                new AgentAddress("reviewer", instance), "n", null, null, "c", AgentReplyTo.handle("h", "t"), null, null,
                null, null, null, Instant.EPOCH, null, null);
    }
}
