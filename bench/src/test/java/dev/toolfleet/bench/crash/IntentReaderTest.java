package dev.toolfleet.bench.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.load.Work;
import dev.toolfleet.bench.verdict.IntentFact;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class IntentReaderTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void anIntentNamesItsCallAndItsWorker() {
        PlannedCall call = new PlannedCall(12, Duration.ZERO, "instance-1", 0, Work.of(Kind.ONCE, Course.DIRECT),
                Optional.empty());
        ObjectNode intent = Json.MAPPER.createObjectNode().put("worker", "worker-1").put("startedAt", AT.toString())
                .put("identity", CallIdentity.of(call.onTheWire(), 0, 0).text()).put("addedLater", true);

        assertThat(IntentReader.intent(Json.MAPPER.writeValueAsBytes(intent)))
                .contains(new IntentFact(call.id(), "worker-1", AT, 0, false));
    }

    @Test
    void theIntentOfAnApprovedCallNamesTheCallToo() {
        CallIdentity identity = new CallIdentity("[\"instance-1\",\"bench\",\"t\",\"s\",\"call-7\"]")
                .resumedBy("a-handle");
        ObjectNode intent = Json.MAPPER.createObjectNode().put("worker", "worker-1").put("startedAt", AT.toString())
                .put("identity", identity.text());

        assertThat(IntentReader.intent(Json.MAPPER.writeValueAsBytes(intent)))
                .contains(new IntentFact("call-7", "worker-1", AT, 0, false));
    }

    @Test
    void aNoteSaysHowManyWorkersDiedBefore() {
        ObjectNode note = Json.MAPPER.createObjectNode().put("worker", "worker-1").put("startedAt", AT.toString())
                .put("identity", "[\"call-7\"]").put("deaths", 1).put("repeatable", true);

        assertThat(IntentReader.intent(Json.MAPPER.writeValueAsBytes(note)))
                .contains(new IntentFact("call-7", "worker-1", AT, 1, true));
    }

    @Test
    void theTimeOfAWorkerWhoseClockIsAheadIsCorrected() {
        ObjectNode intent = Json.MAPPER.createObjectNode().put("worker", "worker-1-ahead")
                .put("startedAt", AT.plusSeconds(3600).toString()).put("identity", "[\"call-7\"]");

        assertThat(IntentReader.intent(Json.MAPPER.writeValueAsBytes(intent)))
                .contains(new IntentFact("call-7", "worker-1-ahead", AT, 0, false));
    }

    @Test
    void otherEntriesAreNoIntents() {
        assertThat(IntentReader.intent("{\"handle\":\"h\"}".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(IntentReader.intent("no JSON".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
