package dev.toolfleet.worker.record;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.ArrivalDecoder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// What is published for a record that is no call.
class MalformedOutcomesTest extends OutcomeRecordsFixture {
    @Test
    void aMalformedRecordIsADeadLetterWithItsBytesAndHeaders() {
        ConsumerRecord<byte[], byte[]> raw = new ConsumerRecord<>("acme.tool.call", 3, 42, "i".getBytes(UTF_8),
                "{oops".getBytes(UTF_8));
        raw.headers().add("theirs", "kept".getBytes(UTF_8));
        Outcome outcome = outcomes.malformed((Arrival.Malformed) ArrivalDecoder.decode(raw, 7),
                new GuardStage(ResultGuard.NONE));

        assertThat(topics(outcome)).containsExactly("acme.tool.dead-letter");
        ProducerRecord<byte[], byte[]> letter = outcome.records().getFirst();
        assertThat(letter.key()).isEqualTo(raw.key());
        assertThat(letter.value()).isEqualTo(raw.value());
        assertThat(header(letter, "theirs")).isEqualTo("kept");
        assertThat(header(letter, "toolfleet-reason")).startsWith("malformed: not JSON");
        assertThat(header(letter, "toolfleet-origin")).isEqualTo("acme.tool.call/3/42");
        assertThat(header(letter, "toolfleet-worker")).isEqualTo("w1");
        assertThat(header(letter, "toolfleet-attempt")).isEqualTo("1");
    }

    @Test
    void theReasonOfAMalformedCallPassesTheGuardForItMayQuoteTheRecord() {
        ResultGuard guard = (call, reply) -> {
            ToolError error = ((ToolReply.Failed) reply).error();
            return new Guarded(new ToolReply.Failed(error.saying(error.message().replace("hunter2", "***"))),
                    null);
        };

        Outcome outcome = malformed(
                "{\"id\":\"c1\",\"name\":\"t__x\",\"instanceKey\":\"i\",\"deadline\":\"password=hunter2\"}", guard);

        assertThat(outcome.records()).hasSize(3);
        assertThat(error(outcome).message()).contains("password=***");
        assertThat(outcome.records()).filteredOn(record -> !record.topic().endsWith("dead-letter"))
                .noneMatch(record -> new String(record.value(), UTF_8).contains("hunter2"));
    }

    @Test
    void aMalformedRecordWhoseCallerIsKnownIsAnsweredToo() {
        Outcome outcome = malformed("{\"id\":\"c1\",\"instanceKey\":\"i\"}");

        assertThat(topics(outcome)).containsExactly("acme.tool.result", "acme.tool.error", "acme.tool.dead-letter");
        ToolResult result = WireCodec.of(ToolResult.class).read(outcome.records().getFirst().value());
        assertThat(requireNonNull(result.error()).code()).isEqualTo("E_CALL_MALFORMED");
        assertThat(result.error().message()).contains("'name' is missing");
    }

    @Test
    void argumentsWithoutCanonicalFormAreAnsweredToo() {
        assertThat(topics(malformed(
                "{\"id\":\"c1\",\"name\":\"t__x\",\"instanceKey\":\"i\",\"args\":{\"n\":1e999}}")))
                .containsExactly("acme.tool.result", "acme.tool.error", "acme.tool.dead-letter");
    }
}
