package dev.toolfleet.worker.completion;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class HandleRecordsTest {
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private final HandleRecords records = new HandleRecords("w1", 2);
    private final PendingCall pending = PendingOutcomes.bare(waiting(7));

    @Test
    void whatIsOfACallGoesToItsPartitionAndWhatIsOfAHandleToTheTasks() {
        HandleEffect.Outcome outcome = PendingOutcomes.said(pending, completed(null));

        assertThat(records.outcome(outcome, START).value().partition()).contains(3);
        assertThat(records.progress(new HandleEffect.Show(pending, new Progress(1.0, null)), START)
                .flatMap(record -> record.value().partition())).contains(3);
        assertThat(records.tombstone(HANDLE, START).value().partition()).contains(2);
        assertThat(records.again(pending, new byte[0], START).value().partition()).contains(2);
        assertThat(KafkaHeaders.text(records.outcome(outcome, START).headers(), "ce_id")).isEqualTo("3-7");
    }

    @Test
    void anOutcomeThatNoRecordTakesBecomesAnErrorThatSaysSo() {
        Completion large = Completion.completed(HANDLE,
                Json.MAPPER.getNodeFactory().stringNode("x".repeat(Topic.MAX_WRAPPING_RECORD_BYTES)), null);

        byte[] value = requireNonNull(records.outcome(PendingOutcomes.said(pending, large), START).value().bytes());

        assertThat(error(requireNonNull(RESUMED.read(value).outcome())).code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
    }
}
