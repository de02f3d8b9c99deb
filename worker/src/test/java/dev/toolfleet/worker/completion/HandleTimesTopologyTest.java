package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.CANCELS;
import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.progress;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static org.assertj.core.api.Assertions.assertThat;

/// Timers of handles in the topology.
class HandleTimesTopologyTest extends TopologyFixture {
    @Test
    void progressIsShownAndKeepsTheCallAlive() {
        send(waiting(6, PendingCall.Kind.ASYNC, Duration.ofSeconds(30), null));
        advance(Duration.ofSeconds(29));
        send(progress(40, "compiling"));
        advance(Duration.ofSeconds(2));

        TestRecord<byte[], byte[]> shown = one(Topic.PROGRESS);
        ToolProgress progress = PROGRESS.read(shown.value());
        assertThat(KafkaHeaders.text(shown.headers(), WireHeaders.CALL_OFFSET)).isEqualTo("6");
        assertThat(progress.handle()).isEqualTo(HANDLE);
        assertThat(progress.toolCallId()).isEqualTo("call-6");
        assertThat(progress.progress().percent()).isEqualTo(40);
        assertThat(outcomes()).isEmpty();

        advance(Duration.ofSeconds(28));
        Completion outcome = end();
        assertThat(error(outcome).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(count(WorkerMeters.HANDLES_ENDED, WorkerMeters.HOW, "expired")).isEqualTo(1);
    }

    @Test
    void theDeadlineExpiresTheCall() {
        send(waiting(7));
        advance(Duration.ofHours(24).minusMillis(1));
        assertThat(outcomes()).isEmpty();
        advance(Duration.ofMillis(1));

        assertThat(outcomes()).hasSize(1);
        assertThat(read(Topic.PENDING)).hasSize(1);
        advance(Duration.ofDays(1));
        assertThat(outcomes()).isEmpty();
    }

    @Test
    void whatComesBeforeThePendingRecordWaitsForItAnHour() {
        send(completed(null));
        advance(Duration.ofMinutes(59));
        assertThat(letters()).isEmpty();
        send(waiting(7));
        assertThat(outcomes()).hasSize(1);

        send(new Completion("nobody", Completion.Kind.COMPLETED, null, null, null, null));
        advance(EarlyHandle.KEPT);
        assertThat(letters()).containsExactly(Map.entry("unknown-handle", "acme.tool.completion/0/1"));
    }

    @Test
    void aModuleIsAskedForTheEnd() throws InterruptedException {
        asked.poll = Optional.of(new PollSpec(Duration.ofSeconds(10), 1, Duration.ofSeconds(10)));
        send(waiting(7));
        advance(Duration.ofSeconds(11));
        assertThat(asked.questions.poll(60, TimeUnit.SECONDS)).isNotNull();
        asked.answers.add(PollAnswer.running(50.0, "half"));
        awaitTicks(() -> !read(Topic.PROGRESS).isEmpty());
        advance(Duration.ofSeconds(11));
        asked.answers.add(PollAnswer.completed(Map.of("jar", "a.jar")));

        List<ResumedCall> ended = new ArrayList<>();
        awaitTicks(() -> ended.addAll(outcomes()) || !ended.isEmpty());
        assertThat(ended.getFirst().outcome()).isNotNull().extracting(Completion::output).isNotNull()
                .hasToString("{\"jar\":\"a.jar\"}");
    }

    @Test
    void whatIsRememberedOfAHandleIsForgottenAndNothingStays() {
        send(waiting(7, PendingCall.Kind.ASYNC, Duration.ofSeconds(30), null));
        send(progress(1, null));
        send(completed(null));
        assertThat(entries(HandleStores.DUE)).isEqualTo(1);
        advance(EndedHandle.KEPT.minusSeconds(1));
        assertThat(entries(HandleStores.HANDLES)).isEqualTo(1);
        advance(Duration.ofSeconds(1));

        assertThat(entries(HandleStores.HANDLES) + entries(HandleStores.CALLS) + entries(HandleStores.DUE)).isZero();
    }

    @Test
    void manyHandlesThatAreDueTogetherAllEnd() {
        int many = HandleProcessor.DUE_PER_TICK + 200;
        for (int i = 0; i < many; i++) {
            PendingCall one = waiting(i);
            send(new PendingCall("h-" + i, one.kind(), ToolCall.of("c" + i, "t", one.call().args(), CONVERSATION), 0, i,
                    null, null, START.plusSeconds(i % 7), null, null, START, null));
        }
        for (int i = 0; i < 4; i++)
            advance(Duration.ofSeconds(7));

        assertThat(outcomes()).hasSize(many).extracting(ResumedCall::callOffset).doesNotHaveDuplicates();
        assertThat(entries(HandleStores.DUE)).as("to be forgotten").isEqualTo(many);
    }

    @Test
    void aCancelledCallEndsAndItsModuleIsToldOffTheStreamsThread() throws InterruptedException {
        send(waiting(7));
        send(Topic.CONTROL, utf8(CONVERSATION), CANCELS.write(Handles.cancel(CONVERSATION)));

        Completion outcome = end();
        assertThat(error(outcome).code()).isEqualTo("E_TOOL_CANCELLED");
        advance(Duration.ZERO);
        PendingWork work = asked.cancelled.poll(60, TimeUnit.SECONDS);
        assertThat(work).isNotNull();
        assertThat(work.input()).isEqualTo(waiting(7).call().argsObject());
        assertThat(work.output()).isEqualTo(waiting(7).output());
        awaitTicks(() -> driver().getKeyValueStore(HandleStores.CALLS).get(HANDLE) == null);
        advance(PendingHandle.ANSWER_WITHIN);
        assertThat(asked.cancelled).isEmpty();
    }
}
