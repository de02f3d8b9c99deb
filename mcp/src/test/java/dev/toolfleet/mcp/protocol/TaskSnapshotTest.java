package dev.toolfleet.mcp.protocol;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaskSnapshotTest {
    private static final TaskSnapshot ENDED = new TaskSnapshot("3-4711", TaskStatus.COMPLETED, null, Instant.EPOCH,
            Instant.EPOCH, Duration.ofHours(1), null, new TaskSnapshot.Payload.Reply(McpReply.text("done", false)));

    @Test
    void theResultOfATaskHasItsTypeAsThatOfACallHas() {
        assertThat(ENDED.json(true).path("result").path("resultType").stringValue("")).isEqualTo("complete");
        assertThat(ENDED.json(true).path("result").path("content").size()).isEqualTo(1);
        assertThat(ENDED.json(false).has("result")).isFalse();
    }

    @Test
    void itIsReadAsItIsWritten() {
        assertThat(TaskSnapshot.of(ENDED.json(true))).contains(ENDED);
    }
}
