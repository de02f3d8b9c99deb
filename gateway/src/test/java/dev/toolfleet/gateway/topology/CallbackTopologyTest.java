package dev.toolfleet.gateway.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.Delivery.Outcome;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.gateway.topology.ReadModelDriver.at;
import static org.assertj.core.api.Assertions.assertThat;

/// Deliveries from the records of calls and results, with a courier that the test directs.
class CallbackTopologyTest {
    private static final Duration PASS = Duration.ofMillis(250);
    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome FAILED = new Outcome.Failed("the receiver answered 500");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    private final QueueCourier courier = new QueueCourier();
    @SuppressWarnings("NullAway.Init")
    private ReadModelDriver driver;

    @BeforeEach
    void start() {
        driver = new ReadModelDriver(folder, courier);
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    private static String header(String host) {
        return "{\"url\":\"https://" + host + "/hook\",\"secret\":\"s\"}";
    }

    private static CallRecords.Written called(ToolCall call, String host) {
        return CallRecords.called(call, header(host), at(0));
    }

    private static CallRecords.Written ok(ToolCall call, long offset) {
        return CallRecords.result(call, offset, ResultStatus.OK, null, at(1));
    }

    private int stored() {
        int count = 0;
        try (KeyValueIterator<byte[], byte[]> all = driver.store(CallbackProcessor.CALLBACKS).all()) {
            for (; all.hasNext(); count++) {
                KeyValue<byte[], byte[]> next = all.next();
                assertThat(next.value).isNotNull();
            }
        }
        return count;
    }

    @Test
    void aFinalResultIsDeliveredAsItStandsAndForgottenThen() {
        ToolCall call = CallRecords.call("chat", "c1");
        driver.read(called(call, "a.example"),
                CallRecords.result(call, 0, ResultStatus.PENDING, "h1", at(1)));
        assertThat(courier.attempts).as("it waits").isEmpty();
        CallRecords.Written result = ok(call, 0);
        driver.read(result);

        assertThat(courier.attempts).singleElement().satisfies(attempt -> {
            assertThat(attempt.delivery().call()).isEqualTo(new CallId(0, 0));
            assertThat(attempt.delivery().callback()).isEqualTo(new Callback("https://a.example/hook", "s"));
            assertThat(attempt.delivery().body()).isEqualTo(result.value());
            assertThat(attempt.delivery().id()).matches("call_[0-9a-f]{32}");
        });
        assertThat(courier.open).containsEntry(0, 1L);
        courier.end(DELIVERED);
        driver.pass(PASS);
        assertThat(courier.open).containsEntry(0, 0L);
        assertThat(stored()).isZero();
    }

    @Test
    void aResultThatIsReadBeforeItsCallIsDeliveredOnceToo() {
        ToolCall call = CallRecords.call("chat", "c1");
        driver.read(ok(call, 0), called(call, "a.example"), ok(call, 0));

        assertThat(courier.attempts).hasSize(1);
    }

    @Test
    void aCallWithoutCallbackIsNotKept() {
        ToolCall call = CallRecords.call("chat", "c1");
        driver.read(CallRecords.called(call, at(0)), ok(call, 0));

        assertThat(courier.attempts).isEmpty();
        assertThat(stored()).isZero();
    }

    @Test
    void aFailedAttemptIsRepeatedWithItsIdAfterItsWait() {
        ToolCall call = CallRecords.call("chat", "c1");
        driver.read(called(call, "a.example"), ok(call, 0));
        String id = courier.attempts.getFirst().delivery().id();
        courier.end(FAILED);
        driver.pass(PASS);

        driver.pass(Duration.ofMillis(3500));
        assertThat(courier.attempts).as("80 % of 5 s are not over").isEmpty();
        driver.pass(Duration.ofMillis(1500));
        assertThat(courier.attempts).singleElement()
                .satisfies(attempt -> assertThat(attempt.delivery().id()).isEqualTo(id));
        driver.pass(Duration.ofHours(1));
        assertThat(courier.attempts).as("not twice at a time").hasSize(1);
    }

    @Test
    void afterADayTheResultIsADeadLetter() {
        ToolCall call = CallRecords.call("chat", "c1");
        CallRecords.Written result = ok(call, 0);
        driver.read(called(call, "a.example"), result);
        int attempts = 0;
        for (int minutes = 0; minutes <= 24 * 60 && courier.gaveUp.isEmpty(); minutes++) {
            attempts += courier.attempts.size();
            courier.end(FAILED);
            driver.pass(PASS);
            driver.pass(Duration.ofMinutes(1));
        }

        assertThat(attempts).isEqualTo(11);
        assertThat(courier.gaveUp).containsExactly("the receiver answered 500; 11 attempts failed");
        TestRecord<byte[], byte[]> letter = driver.deadLetters().getFirst();
        assertThat(letter.key()).isEqualTo("chat".getBytes(StandardCharsets.UTF_8));
        assertThat(letter.value()).isEqualTo(result.value());
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.REASON))
                .isEqualTo("webhook: the receiver answered 500; 11 attempts failed");
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.ORIGIN)).isEqualTo("tool.result/0/0");
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.ATTEMPT)).isEqualTo("11");
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.CALLBACK)).isEqualTo(header("a.example"));
        assertThat(stored()).isZero();
        assertThat(courier.open).containsEntry(0, 0L);
    }

    @Test
    void aReceiverThatRefusesAndAnUnreadableHeaderAreDeadLettersAtOnce() {
        ToolCall first = CallRecords.call("chat", "c1");
        ToolCall second = CallRecords.call("chat", "c2");
        ToolCall third = CallRecords.call("chat", "c3");
        driver.read(called(first, "a.example"), ok(first, 0));
        courier.end(new Outcome.Refused("the receiver answered 410"));
        driver.read(CallRecords.called(second, "{\"url\":", at(0)), ok(second, 1));
        driver.read(CallRecords.called(third, header("a".repeat(10_000)), at(0)), ok(third, 2));
        driver.pass(PASS);

        assertThat(courier.gaveUp).containsExactlyInAnyOrder("the receiver answered 410",
                "the header toolfleet-callback is no Callback", "the header toolfleet-callback is no Callback");
        assertThat(driver.deadLetters()).hasSize(3);
        assertThat(courier.attempts).isEmpty();
        assertThat(stored()).isZero();
    }

    @Test
    void tenThousandReceiversThatAreDownDoNotHoldUpTheOthers() {
        int down = 10_000;
        courier.hasRoom = callback -> callback.url().contains("up.example");
        for (int n = 0; n < down; n++) {
            ToolCall call = CallRecords.call("chat-" + n, "c1");
            driver.read(called(call, "down" + n + ".example"), ok(call, n));
        }
        assertThat(courier.open).containsEntry(0, (long) down);
        ToolCall quick = CallRecords.call("quick", "c1");
        driver.read(called(quick, "up.example"), ok(quick, down));
        assertThat(courier.attempts).as("at once").hasSize(1);
        assertThat(driver.view(down)).as("the partition is read on").isPresent();

        courier.end(FAILED);
        driver.pass(PASS);
        for (int pass = 0; courier.attempts.isEmpty() && pass < 60; pass++)
            driver.pass(PASS);
        assertThat(courier.attempts).as("its retry is found behind the others").hasSize(1);
    }

    @Test
    void recordsThatAreTheSameCallHaveTheSameIdAndARefusedOneAnother() {
        ToolCall call = CallRecords.call("chat", "c1").named("key");
        driver.read(called(call, "a.example"), called(call, "a.example"), called(call, "a.example"));
        driver.read(ok(call, 0), ok(call, 1), conflict(call, 2));

        assertThat(courier.attempts).extracting(attempt -> attempt.delivery().id()).satisfies(ids -> {
            assertThat(ids.get(0)).isEqualTo(ids.get(1));
            assertThat(ids.get(2)).isNotEqualTo(ids.get(0));
        });
    }

    private static CallRecords.Written conflict(ToolCall call, long offset) {
        ToolResult result = new ToolResult(call.id(), call.name(), ResultStatus.ERROR, null, null,
                ToolError.of(ErrorCode.E_CALL_IDENTITY_CONFLICT, "another"), call.instanceKey(), call.agentName(),
                call.turnId(), call.stepId(), 1, false, "sha256:1", offset, null, null);
        return new CallRecords.Written(Topic.RESULT, call.instanceKey(),
                WireCodec.of(ToolResult.class).write(result), ok(call, offset).headers(), at(1));
    }

    @Test
    void aCallbackIsForgottenWithItsCall() {
        ToolCall call = CallRecords.call("chat", "c1");
        driver.read(called(call, "a.example"));
        driver.pass(Duration.ofDays(6));
        assertThat(stored()).isEqualTo(1);
        for (int pass = 0; pass < 4; pass++)
            driver.pass(Duration.ofDays(1));

        assertThat(stored()).isZero();
    }
}
