package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.client.ToolFleetClientIT.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class StepCatalogIT {
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final String DIGEST = "sha256:content";

    private final FakeFleet fleet;

    StepCatalogIT(KafkaFixture kafka) {
        this.fleet = new FakeFleet(kafka);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void aStepGetsTheToolsOfItsCatalogThoughTheirContentIsOlder() {
        fleet.write(Topic.CATALOG_CONTENT, 0, DIGEST, content());
        fleet.onStep(this::publishCatalog);
        try (ToolFleetClient client = ToolFleetClient.open(fleet.config())) {
            for (int step = 1; step <= 3; step++) {
                StepCatalogView view = get(client.beginStep(step("step-" + step)));

                assertThat(view.stepId()).isEqualTo("step-" + step);
                assertThat(view.digest()).isEqualTo(DIGEST);
                assertThat(view.tools()).extracting(ToolCatalogItem::name).containsExactly("bash__exec");
            }
        }
    }

    @Test
    void aCatalogWaitsForContentThatIsWrittenAfterIt() {
        fleet.onStep(record -> {
            publishCatalog(record);
            fleet.write(Topic.CATALOG_CONTENT, 0, DIGEST, content());
        });
        try (ToolFleetClient client = ToolFleetClient.open(fleet.config())) {
            assertThat(get(client.beginStep(step("step-1"))).tools()).hasSize(1);
        }
    }

    @Test
    void aStepWithoutCatalogFailsAtItsTimeoutAndSaysWhatToCheck() {
        ClientConfig config = fleet.config().waitingForCatalogs(Duration.ofSeconds(2));
        try (ToolFleetClient client = ToolFleetClient.open(config)) {
            assertThatThrownBy(() -> get(client.beginStep(step("step-1")))).cause()
                    .hasMessageContaining("after PT2S the catalog of step 'step-1' of agent 'coder', instance 'i'")
                    .hasMessageContaining("`toolfleet catalog`").hasMessageContaining("`toolfleet apply`");
        }
    }

    @Test
    void closingFailsAStepThatWaits() {
        ToolFleetClient client = ToolFleetClient.open(fleet.config());
        var waiting = client.beginStep(step("step-1"));

        client.close();

        assertThatThrownBy(() -> get(waiting)).cause()
                .hasMessageContaining("was closed while step 'step-1' of agent 'coder', instance 'i' waited");
    }

    @Test
    void theEndOfAStepFollowsItsBeginning() {
        try (ToolFleetClient client = ToolFleetClient.open(fleet.config())) {
            fleet.write(Topic.CATALOG_CONTENT, 0, DIGEST, content());
            fleet.onStep(this::publishCatalog);
            get(client.beginStep(step("step-1")));
            get(client.endStep(new StepEnded("i", "coder", "t-1", "step-1", 1)));

            Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(fleet.steps)
                    .extracting(record -> EVENTS.read(record.value()).getClass().getSimpleName())
                    .containsExactly("StepStarted", "StepEnded"));
        }
    }

    private void publishCatalog(ConsumerRecord<byte[], byte[]> record) {
        if (EVENTS.read(record.value()) instanceof StepStarted step) {
            fleet.write(Topic.CATALOG_STEP, record.partition(), StepCatalog.key(step.instanceKey(), step.agentName()),
                    CATALOGS.write(new StepCatalog(step.instanceKey(), step.agentName(), step.turnId(), step.stepId(),
                            step.stepIndex(), DIGEST, null, "b", 1, null, Instant.EPOCH, false,
                            List.of())));
        }
    }

    private static StepStarted step(String id) {
        return new StepStarted("i", "coder", "t-1", id, 1, null, null, null);
    }

    private static byte[] content() {
        return Json.MAPPER.writeValueAsString(List.of(new ToolCatalogItem("bash__exec", "runs a command",
                Json.MAPPER.createObjectNode().put("type", "object"), new ToolSource(ToolSource.CONFIG, "b"),
                new ToolRef("b", "bash", "exec"), null))).getBytes(StandardCharsets.UTF_8);
    }
}
