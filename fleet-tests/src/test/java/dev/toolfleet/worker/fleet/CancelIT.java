package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Cancelled calls, and the progress of running ones. One fleet for all: each test has an instance of its own.
@EmbeddedKafkaTest
class CancelIT {
    private static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);
    private static final ToolCall OF_THE_STEP = write("c1", "ahead", "s1");
    private static final ToolCall OF_ANOTHER = write("c1", "ahead", "s2");
    private static final ToolCall UNREAD = write("c1", "unread", "s1");
    private static final ToolCall LATER = write("c1", "unread", "s2");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable TestFleet shared;

    /// Writes records while no worker reads.
    @BeforeAll
    static void start(KafkaFixture kafka) throws InterruptedException {
        // Behind walls a command does not know its own number outside.
        TestFleet fleet = new TestFleet(kafka, folder, 2).with("sandbox.mode", "off");
        shared = fleet;
        cancel("ahead", null, "s1");
        for (ToolCall call : List.of(OF_THE_STEP, OF_ANOTHER, UNREAD))
            fleet.send(call);
        cancel("unread", "c1", null);
        // In the same millisecond the call would count as the first; the broker's clock is this process's.
        long acknowledged = System.currentTimeMillis();
        await().atMost(Duration.ofMinutes(1)).until(() -> System.currentTimeMillis() > acknowledged);
        fleet.send(LATER);
        fleet.announce("ahead", "s2");
        fleet.announce("unread", "s2");
        fleet.worker("w1");
    }

    @AfterAll
    static void stop() {
        if (shared != null)
            shared.close();
    }

    @Test
    void aStepThatWasCancelledBeforeItsCallsWereWrittenStartsNoneOfThem() {
        ToolError error = error(OF_THE_STEP);

        assertThat(error.code()).isEqualTo("E_TOOL_CANCELLED");
        assertThat(error.message()).isEqualTo("The call was cancelled by ada before it started: enough");
        assertThat(result(OF_ANOTHER).error()).isNull();
        assertThat(TestTools.probe("ahead").started).hasSize(1);
    }

    @Test
    void aCallThatWasCancelledBeforeAnybodyReadItDoesNotStartAndItsIdCanBeUsedAgain() {
        assertThat(error(UNREAD).message()).contains("before it started");
        assertThat(result(LATER).error()).isNull();
        assertThat(TestTools.probe("unread").started).hasSize(1);
    }

    @Test
    void aRunningCommandIsKilledWithItsChildren() throws Exception {
        Path pids = folder.resolve("pids");
        fleet().announce("bash", "s1");
        ToolCall call = TestFleet.call("c1", "bash__exec", "bash",
                Map.of("command", "echo $$ >> " + pids + "; sleep 1000 & echo $! >> " + pids + "; wait"));
        fleet().send(call);
        await().atMost(Duration.ofSeconds(60)).until(() -> lines(pids).size() >= 2);
        List<ProcessHandle> family = lines(pids).stream()
                .flatMap(line -> ProcessHandle.of(Long.parseLong(line)).stream())
                .toList();
        assertThat(family).hasSize(2);

        cancel("bash", "c1", null);

        assertThat(error(call).code()).isEqualTo("E_TOOL_CANCELLED");
        assertThat(error(call).message()).contains("while it ran");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void aStepsCallsEndTogetherAndADuplicateOfOneHearsTheSame() {
        fleet().announce("step", "s1");
        ToolCall running = TestFleet.call("hold1", "t__held", "step", Map.of("tag", "step"));
        ToolCall queued = TestFleet.call("hold2", "t__held", "step", Map.of("tag", "step"));
        fleet().send(running);
        fleet().send(queued);
        await().atMost(Duration.ofSeconds(60)).until(() -> TestTools.probe("step").started.contains("hold1"));

        cancel("step", null, "s1");

        assertThat(error(running).message()).contains("while it ran");
        assertThat(error(running).suggestion()).contains("may have happened in part");
        assertThat(error(queued).message()).contains("before it started");
        assertThat(TestTools.probe("step").started).containsExactly("hold1");
        fleet().send(running);
        ToolResult again = fleet().result(running, ToolResult::replayed);
        assertThat(requireNonNull(again.error()).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void cancellingWhatHasEndedChangesNothing() {
        fleet().announce("after", "s1");
        ToolCall done = TestFleet.call("done", "t__write", "after", Map.of("tag", "after"));
        ToolCall running = TestFleet.call("hold", "t__held", "after", Map.of("tag", "after"));
        fleet().send(done);
        fleet().send(running);
        assertThat(result(done).error()).isNull();
        await().atMost(Duration.ofSeconds(60)).until(() -> TestTools.probe("after").started.contains("hold"));

        cancel("after", "done", null);
        // The second shows that the first has been heard.
        cancel("after", "hold", null);

        assertThat(error(running).code()).isEqualTo("E_TOOL_CANCELLED");
        fleet().send(done);
        ToolResult again = fleet().result(done, ToolResult::replayed);
        assertThat(again.status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void aPendingCallSaysHowFarItIsAndItsHandleIsCancelledWithIt() {
        fleet().announce("pending", "s1");
        ToolCall call = TestFleet.call("c1", "t__pend", "pending", Map.of("handle", "h1"));
        fleet().send(call);
        assertThat(fleet().result(call, result -> result.status() == ResultStatus.PENDING).handle()).isEqualTo("h1");
        ToolProgress said = fleet().first(Topic.PROGRESS, record -> Optional.of(PROGRESS.read(record.value())));
        assertThat(said.progress()).isEqualTo(new Progress(50.0, "half of it"));
        assertThat(said.toolCallId()).isEqualTo("c1");
        assertThat(said.instanceKey()).isEqualTo("pending");

        cancel("pending", "c1", null);

        CancelCall ofHandle = fleet().first(Topic.CONTROL, record -> Optional.of(CANCELS.read(record.value()))
                .filter(cancel -> cancel.instanceKey().equals("pending") && cancel.handle() != null));
        assertThat(ofHandle)
                .isEqualTo(new CancelCall("pending", null, null, "h1", "ada", "enough", null, null));
        ToolError last = requireNonNull(
                fleet().result(call, result -> result.status() == ResultStatus.ERROR).error());
        assertThat(last.code()).isEqualTo("E_TOOL_CANCELLED");
        assertThat(last.message()).contains("ada").contains("enough");
    }

    private static ToolCall write(String id, String instance, String step) {
        return TestFleet.call(id, "t__write", instance, Map.of("tag", instance)).inStep(TestFleet.AGENT, "turn", step,
                0);
    }

    private static void cancel(String instance, @Nullable String id, @Nullable String step) {
        fleet().send(Topic.CONTROL, 0, instance,
                CANCELS.write(new CancelCall(instance, id, step, null, "ada", "enough", null, null)));
    }

    private static TestFleet fleet() {
        return requireNonNull(shared);
    }

    private static ToolResult result(ToolCall call) {
        return fleet().result(call, result -> !result.replayed());
    }

    private static ToolError error(ToolCall call) {
        return requireNonNull(result(call).error());
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
