package dev.toolfleet.client;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.client.ToolFleetClientIT.call;
import static dev.toolfleet.client.ToolFleetClientIT.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class ClientRestartIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private final FakeFleet fleet;
    private final Queue<FakeFleet.Received> held = new ConcurrentLinkedQueue<>();

    ClientRestartIT(KafkaFixture kafka) {
        this.fleet = new FakeFleet(kafka);
        fleet.onCall(held::add);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void resultsThatCameWhileNoClientRanAreFoundFromTheStoredPosition() {
        CallIdentity inStep;
        CallIdentity withoutStep;
        String stored;
        try (ToolFleetClient first = ToolFleetClient.open(fleet.config())) {
            inStep = get(first.call(call("i", "call_0", "step-1")).sent()).identity();
            ToolCall bare = ToolCall.of("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "another");
            withoutStep = get(first.call(bare).sent()).identity();
            stored = first.position().toJson();
        }
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == 2);
        held.forEach(call -> {
            fleet.answer(call.partition(), call.pending("h-" + call.call().instanceKey()));
            fleet.answer(call.partition(), call.ok());
        });

        try (ToolFleetClient second = ToolFleetClient.open(fleet.config(), ClientPosition.fromJson(stored))) {
            CallHandle one = second.await(inStep, PATIENCE);
            assertThat(get(one.firstResult()).handle()).isEqualTo("h-i");
            assertThat(get(one.result()).instanceKey()).isEqualTo("i");
            assertThat(get(one.sent()).identity()).isEqualTo(inStep);
            // Its partition has been read already, and is read again for it.
            CallHandle other = second.await(withoutStep, PATIENCE);
            assertThat(get(other.firstResult()).handle()).isEqualTo("h-another");
            assertThat(get(other.result()).instanceKey()).isEqualTo("another");
        }
    }

    @Test
    void readingAgainForOneCallRepeatsNothingToOthers() {
        ClientPosition stored;
        CallIdentity earlier;
        try (ToolFleetClient first = ToolFleetClient.open(fleet.config())) {
            earlier = get(first.call(call("i", "call_0", "step-1")).sent()).identity();
            stored = first.position();
        }
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == 1);
        held.forEach(call -> fleet.answer(call.partition(), call.ok()));
        held.clear();

        try (ToolFleetClient second = ToolFleetClient.open(fleet.config(), stored)) {
            Queue<String> subscribed = new ConcurrentLinkedQueue<>();
            try (Subscription all = second.subscribe("i", result -> subscribed.add(result.toolCallId()))) {
                Queue<String> pending = new ConcurrentLinkedQueue<>();
                CallHandle open = second.call(call("i", "call_1", "step-2"));
                open.onPending(result -> pending.add(String.valueOf(result.handle())));
                Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == 1);
                held.forEach(call -> fleet.answer(call.partition(), call.pending("h-1")));
                get(open.firstResult());

                assertThat(get(second.await(earlier, PATIENCE).result()).status()).isEqualTo(ResultStatus.OK);
                held.forEach(call -> fleet.answer(call.partition(), call.ok()));
                get(open.result());

                assertThat(pending).containsExactly("h-1");
                Awaitility.await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(subscribed).containsExactly("call_1", "call_1"));
                assertThat(all).isNotNull();
            }
        }
    }

    @Test
    void aSubscriberMayStartAtAStoredPosition() {
        ClientPosition stored;
        try (ToolFleetClient first = ToolFleetClient.open(fleet.config())) {
            get(first.call(call("i", "call_0", "step-1")).sent());
            stored = first.position();
        }
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == 1);
        held.forEach(call -> fleet.answer(call.partition(), call.ok()));

        try (ToolFleetClient second = ToolFleetClient.open(fleet.config())) {
            Queue<String> subscribed = new ConcurrentLinkedQueue<>();
            try (Subscription all = second.subscribe("i", stored, result -> subscribed.add(result.toolCallId()))) {
                Awaitility.await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(subscribed).containsExactly("call_0"));
                assertThat(all).isNotNull();
            }
        }
    }

    @Test
    void awaitingWithoutAPositionIsRefused() {
        try (ToolFleetClient client = ToolFleetClient.open(fleet.config())) {
            CallIdentity identity = CallIdentity.of(call("i", "call_0", "step-1"), 0, 0);

            assertThatThrownBy(() -> client.await(identity, PATIENCE)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ToolFleetClient.open(config, position)");
        }
    }
}
