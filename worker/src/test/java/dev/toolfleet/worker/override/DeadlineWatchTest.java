package dev.toolfleet.worker.override;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallCourse;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Which end a call has that takes too long around its handler, and when. The test's thread is the call's.
class DeadlineWatchTest {
    private record Alarm(long at, Runnable action) {}

    private final List<Alarm> alarms = new ArrayList<>();
    private long now = 1_000_000;
    private final DeadlineLoop deadlines = new DeadlineLoop((nanos, action) -> {
        Alarm alarm = new Alarm(now + nanos / 1_000_000, action);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    });
    private final AbandonedHandlers stubborn = new AbandonedHandlers(new WorkerMeters(new SimpleMeterRegistry()));
    private final DeadlineWatch watch = new DeadlineWatch(deadlines, stubborn, () -> Instant.ofEpochMilli(now),
            Duration.ofSeconds(60), Duration.ofSeconds(2));
    private final List<CallWatch.Watched> begun = new ArrayList<>();
    private final List<ToolReply> ends = new ArrayList<>();
    private final LaneOverride.End end = new LaneOverride.End() {
        @Override
        public boolean isDecided() {
            return !ends.isEmpty();
        }

        @Override
        public void with(ToolReply reply) {
            ends.add(reply);
        }
    };

    @AfterEach
    void clean() {
        // What goes on counts for the carriers of the whole JVM, and so for the tests that come after.
        begun.forEach(CallWatch.Watched::over);
        Thread.interrupted();
    }

    @Test
    void aCallIsEndedAtItsDeadlineBeforeItsHandler() {
        Identified run = begins(10_000L);

        pass(9_999);
        assertThat(ends).isEmpty();
        pass(1);

        assertEnded("not started");
        assertThat(run.course().hold()).as("its handler starts no more").isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallWithoutADeadlineHasALimitForEachOfItsWays() {
        Identified run = begins(null);
        pass(59_000);
        run.course().hold();
        pass(600_000);
        assertThat(ends).as("its handler has a limit of its own").isEmpty();
        run.course().letGo(now);
        pass(59_000);
        assertThat(ends).isEmpty();

        pass(61_000);

        assertEnded("had come back from its tool");
    }

    @Test
    void behindItsHandlerACallHasAGraceAfterItsDeadline() {
        Identified run = begins(10_000L);
        run.course().hold();
        pass(10_500);
        run.course().letGo(now);
        pass(1_999);
        assertThat(ends).isEmpty();

        pass(2_000);

        assertEnded("had come back from its tool");
    }

    @Test
    void aDeadlineThatHadPassedLeavesTimeToSaySo() {
        begins(-5_000L);
        pass(1_999);
        assertThat(ends).isEmpty();
        pass(1);
        assertEnded("not started");
    }

    @Test
    void aLayerThatGoesOnCountsAsAbandoned() {
        Identified run = run(10_000L);
        CallWatch.Watched watched = watch.begins(run, end);
        pass(10_000);
        assertThat(stubborn.running()).isZero();
        pass(2_000);
        assertThat(stubborn.running()).isEqualTo(1);

        watched.over();

        assertThat(stubborn.running()).isZero();
    }

    @Test
    void aCallThatIsOverIsWatchedNoMore() {
        watch.begins(run(10_000L), end).over();

        assertThat(alarms).isEmpty();
    }

    private void assertEnded(String message) {
        assertThat(ends).singleElement().isInstanceOfSatisfying(ToolReply.Failed.class, failed -> {
            assertThat(failed.error().code()).isEqualTo("E_TOOL_TIMEOUT");
            assertThat(failed.error().message()).contains(message);
        });
    }

    private void pass(long millis) {
        long until = now + millis;
        while (true) {
            Alarm next = alarms.stream().filter(alarm -> alarm.at() <= until)
                    .min(java.util.Comparator.comparingLong(Alarm::at)).orElse(null);
            if (next == null)
                break;
            alarms.remove(next);
            now = Math.max(now, next.at());
            next.action().run();
        }
        now = until;
    }

    private Identified begins(@Nullable Long deadline) {
        Identified run = run(deadline);
        begun.add(watch.begins(run, end));
        return run;
    }

    private Identified run(@Nullable Long deadline) {
        ToolCall call = ToolCall.of("c", "t__run", JsonNodeFactory.instance.objectNode(), "i");
        Identified run = Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(0, 1, 0),
                deadline == null ? call : call.until(Instant.ofEpochMilli(now + deadline)), now, null, 0)), now);
        run.course().to(CallCourse.Stage.LAYERS, now);
        run.course().letGo(now);
        return run;
    }
}
