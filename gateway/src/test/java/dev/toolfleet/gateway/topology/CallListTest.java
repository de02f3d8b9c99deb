package dev.toolfleet.gateway.topology;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.gateway.topology.CallRecords.call;
import static dev.toolfleet.gateway.topology.CallRecords.called;
import static dev.toolfleet.gateway.topology.CallRecords.closed;
import static dev.toolfleet.gateway.topology.CallRecords.pending;
import static dev.toolfleet.gateway.topology.CallRecords.progress;
import static dev.toolfleet.gateway.topology.CallRecords.result;
import static dev.toolfleet.gateway.topology.CallRecords.waits;
import static dev.toolfleet.gateway.topology.ReadModelDriver.at;
import static org.assertj.core.api.Assertions.assertThat;

/// Heads of calls, and the lists that are made of them.
class CallListTest {
    private static final ScanBudget ALL = new ScanBudget(Integer.MAX_VALUE, Duration.ofMinutes(1));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;
    @SuppressWarnings("NullAway.Init")
    private ReadModelDriver model;

    @BeforeEach
    void start() {
        model = new ReadModelDriver(stateDir);
    }

    @AfterEach
    void stop() {
        model.close();
    }

    private void accept(int from, int to) {
        for (int i = from; i < to; i++)
            model.read(called(call("chat-" + i % 3, "c" + i), at(i)));
    }

    private void end(int offset, ResultStatus status) {
        model.read(result(call("chat-" + offset % 3, "c" + offset), offset, status, null, at(1_000 + offset)));
    }

    private List<Long> offsets(CallFilter filter) {
        return offsets(model.list(filter, null, 1_000, ALL));
    }

    private static List<Long> offsets(CallPage page) {
        return page.calls().stream().map(call -> call.id().offset()).toList();
    }

    private static CallFilter in(@Nullable CallStage stage, @Nullable ResultStatus status) {
        return new CallFilter(null, null, null, null, stage, false, status, null, null);
    }

    private CallSummary head(long offset) {
        return model.head(offset).orElseThrow();
    }

    @Test
    void aHeadSumsUpItsCall() {
        ToolCall call = call("chat-1", "c1").forCaller("ann", "web");
        model.read(called(call, at(0)));
        assertThat(head(0)).isEqualTo(new CallSummary(new CallId(0, 0), "c1", "chat-1", "coder", "build__run", "ann",
                "t1", "s1", at(0), CallStage.ACCEPTED, null, null, null, false));

        model.read(progress(call, 0, 10, at(1)));
        assertThat(head(0).stage()).isEqualTo(CallStage.RUNNING);

        model.read(result(call, 0, ResultStatus.ERROR, null, true, at(2)));
        assertThat(head(0)).isEqualTo(new CallSummary(new CallId(0, 0), "c1", "chat-1", "coder", "build__run", "ann",
                "t1", "s1", at(0), CallStage.ENDED, ResultStatus.ERROR, "E_TOOL", at(2), true));
        assertThat(model.store(CallProcessor.INDEX).get(IndexKey.unended(0))).as("it ended").isNull();
    }

    @Test
    void callsAreListedNewestFirstOpenAndEndedOnesAlike() {
        accept(0, 7);
        end(2, ResultStatus.OK);
        end(5, ResultStatus.ERROR);

        CallPage page = model.list(CallFilter.ALL, null, 100, ALL);

        assertThat(offsets(page)).containsExactly(6L, 5L, 4L, 3L, 2L, 1L, 0L);
        assertThat(page.calls()).isSortedAccordingTo(CallSummary.NEWEST_FIRST);
        assertThat(page.complete()).isTrue();
        assertThat(page.next()).isNull();
        assertThat(page.searchedTo()).isNull();
    }

    @Test
    void aCallWithoutItsRecordIsNotListed() {
        model.read(progress(call("chat-1", "c1"), 5, 10, at(0)), result(call("chat-1", "c1"), 6, ResultStatus.OK, null,
                at(0)));
        assertThat(offsets(CallFilter.ALL)).isEmpty();

        accept(0, 7);
        assertThat(head(5).stage()).isEqualTo(CallStage.RUNNING);
        assertThat(head(6).stage()).isEqualTo(CallStage.ENDED);
    }

    @Test
    void aPendingCallWhoseRecordIsDeletedIsListedByItsWait() {
        ToolCall build = call("chat-1", "c1");
        model.read(waits(pending(build, 0, 7, "h1", "r1", at(-90_000)), at(-90_000)));
        assertThat(head(7).stage()).isEqualTo(CallStage.APPROVAL);
        assertThat(head(7).acceptedAt()).isEqualTo(at(-90_000));

        model.read(closed("h1", at(-80_000)));
        assertThat(head(7).stage()).isEqualTo(CallStage.RESUMED);
        model.read(result(build, 7, ResultStatus.OK, "h1", at(-79_000)));
        assertThat(offsets(in(CallStage.ENDED, null))).containsExactly(7L);
    }

    @Test
    void theDuplicateOfACallThatWaitsIsListedAndNotOpen() {
        ToolCall build = call("chat-1", "c1");
        model.read(called(build, at(0)), called(build, at(1)), waits(pending(build, 0, 0, "h1", null, at(2)), at(2)),
                result(build, 0, ResultStatus.PENDING, "h1", at(2)),
                result(build, 1, ResultStatus.PENDING, "h1", true, at(3)));

        assertThat(offsets(in(CallStage.PENDING, null))).containsExactly(1L, 0L);
        assertThat(offsets(CallFilter.OPEN)).containsExactly(0L);
        assertThat(model.load(at(4)).open()).isEqualTo(1);
    }

    @Test
    void filtersSelect() {
        accept(0, 6);
        model.read(called(ToolCall.of("c6", "disk__wipe", Json.MAPPER.createObjectNode(), "chat-0")
                .inStep("planner", "t", "s", 0).forCaller("ann", null), at(6)));
        end(0, ResultStatus.OK);
        end(1, ResultStatus.ERROR);
        model.read(progress(call("chat-2", "c2"), 2, 10, at(7)));

        assertThat(offsets(new CallFilter("chat-0", null, null, null, null, false, null, null, null)))
                .containsExactly(6L, 3L, 0L);
        assertThat(offsets(new CallFilter(null, "planner", null, null, null, false, null, null, null)))
                .containsExactly(6L);
        assertThat(offsets(new CallFilter(null, null, Glob.of("disk__*"), null, null, false, null, null, null)))
                .containsExactly(6L);
        assertThat(offsets(new CallFilter(null, null, null, "ann", null, false, null, null, null)))
                .containsExactly(6L);
        assertThat(offsets(in(CallStage.RUNNING, null))).containsExactly(2L);
        assertThat(offsets(in(CallStage.ENDED, null))).containsExactly(1L, 0L);
        assertThat(offsets(CallFilter.OPEN)).containsExactly(6L, 5L, 4L, 3L, 2L);
        assertThat(offsets(in(null, ResultStatus.ERROR))).containsExactly(1L);
        assertThat(offsets(new CallFilter(null, null, null, null, null, false, null, "e_tool", null)))
                .containsExactly(1L);
        assertThat(offsets(new CallFilter(null, null, null, null, null, false, null, null, at(4))))
                .containsExactly(6L, 5L, 4L);
        assertThat(offsets(in(CallStage.RUNNING, ResultStatus.OK))).as("no such call").isEmpty();
        assertThat(offsets(new CallFilter("chat-0", "coder", null, null, null, true, null, null, at(1))))
                .containsExactly(3L);
    }

    @Test
    void pagesHaveNoGapsAndNoRepeatsWhileCallsAreAppendedAndEnd() {
        accept(0, 40);
        List<Long> seen = new ArrayList<>();
        TopicPosition before = null;
        int next = 40;
        do {
            CallPage page = model.list(CallFilter.ALL, before, 7, ALL);
            seen.addAll(offsets(page));
            before = page.next();
            // Calls that are shown end, and such that are not.
            end(next - 37, ResultStatus.OK);
            end(next - 10, ResultStatus.ERROR);
            accept(next, ++next);
        } while (before != null);

        assertThat(seen).hasSize(40).isSortedAccordingTo((one, other) -> Long.compare(other, one))
                .doesNotHaveDuplicates();
    }

    @Test
    void aCallThatIsReadWhileItEndsComesOnce() {
        accept(0, 3);
        byte[] open = model.store(CallProcessor.INDEX).get(IndexKey.unended(1));
        end(1, ResultStatus.OK);
        // Between the two writes of its end.
        model.store(CallProcessor.INDEX).put(IndexKey.unended(1), open);

        CallPage page = model.list(CallFilter.ALL, null, 10, ALL);

        assertThat(offsets(page)).containsExactly(2L, 1L, 0L);
        assertThat(page.calls().get(1).stage()).isEqualTo(CallStage.ENDED);
    }

    @Test
    void aSearchStopsWhenItsBudgetIsOverAndGoesOnBehindIt() {
        accept(0, 1_000);
        CallFilter first = new CallFilter(null, null, null, null, null, false, null, null, null);
        CallFilter rare = new CallFilter("chat-1", null, null, null, CallStage.ENDED, false, null, null, null);
        for (int i = 0; i < 1_000; i++)
            end(i, i % 100 == 1 ? ResultStatus.ERROR : ResultStatus.OK);
        ScanBudget small = new ScanBudget(300, Duration.ofMinutes(1));

        CallPage page = model.list(in(null, ResultStatus.ERROR), null, 100, small);

        assertThat(offsets(page)).containsExactly(901L, 801L, 701L);
        assertThat(page.searchedTo()).as("the next call to look at").isEqualTo(at(699));
        assertThat(page.complete()).isFalse();
        CallPage second = model.list(in(null, ResultStatus.ERROR), page.next(), 100, small);
        assertThat(offsets(second)).containsExactly(601L, 501L, 401L);
        assertThat(model.list(rare, null, 1, small).searchedTo()).as("a full page").isNull();
        assertThat(model.list(first, null, 1_000, new ScanBudget(Integer.MAX_VALUE, Duration.ZERO)).calls())
                .as("headway without time").hasSize(ScanBudget.CHECK_EVERY);
    }

    @Test
    void aSearchFromATimeOnReadsNoOlderCalls() {
        accept(0, 1_000);
        CallFilter lately = new CallFilter("no such instance", null, null, null, null, false, null, null, at(900));

        CallPage page = model.list(lately, null, 10, new ScanBudget(200, Duration.ofMinutes(1)));

        assertThat(page.complete()).isTrue();
        assertThat(page.searchedTo()).isNull();
    }

    @Test
    void aRestartedTaskListsWhatAnEarlierOneHasRead() {
        model.read(result(call("chat-1", "c1"), 1, ResultStatus.OK, null, at(0)));
        CallHeads again = new CallHeads(0, model.store(CallProcessor.CALLS), model.store(CallProcessor.INDEX));

        again.accepted(1, call("chat-1", "c1"), at(1));

        assertThat(head(1).stage()).isEqualTo(CallStage.ENDED);
    }

    @Test
    void theLoadCountsOpenCallsByToolStageAndInstance() {
        accept(0, 6);
        model.read(called(ToolCall.of("c6", "disk__wipe", Json.MAPPER.createObjectNode(), "chat-0"), at(6)));
        end(0, ResultStatus.OK);
        model.read(progress(call("chat-1", "c1"), 1, 10, at(7)));

        FleetLoad load = model.load(at(8));

        assertThat(load.stages()).isEqualTo(Map.of(CallStage.ACCEPTED, 5L, CallStage.RUNNING, 1L));
        assertThat(load.tools()).containsExactly(
                new FleetLoad.ToolLoad("build__run", Map.of(CallStage.ACCEPTED, 4L, CallStage.RUNNING, 1L), at(1),
                        new CallId(0, 1)),
                new FleetLoad.ToolLoad("disk__wipe", Map.of(CallStage.ACCEPTED, 1L), at(6), new CallId(0, 6)));
        assertThat(load.instances()).containsExactly(
                new FleetLoad.InstanceLoad("chat-0", 2, at(3), new CallId(0, 3)),
                new FleetLoad.InstanceLoad("chat-1", 2, at(1), new CallId(0, 1)),
                new FleetLoad.InstanceLoad("chat-2", 2, at(2), new CallId(0, 2)));
    }

    @Test
    void minutesAreCountedInTheTickAndKeptForADay() {
        accept(0, 90);
        end(0, ResultStatus.OK);
        end(1, ResultStatus.ERROR);
        Instant now = at(1_020);
        assertThat(model.load(now).minutes()).hasSize(60).allMatch(minute -> minute.accepted() == 0);

        model.pass(Duration.ofSeconds(1));
        accept(90, 100);
        model.pass(Duration.ofSeconds(1));
        model.pass(Duration.ofSeconds(1));

        List<FleetLoad.Minute> minutes = model.load(now).minutes();
        assertThat(minutes).hasSize(60).isSortedAccordingTo((one, other) -> one.start().compareTo(other.start()));
        assertThat(minutes).filteredOn(minute -> minute.accepted() + minute.ended() > 0).containsExactly(
                new FleetLoad.Minute(at(0), 60, 0, 0), new FleetLoad.Minute(at(60), 40, 0, 0),
                new FleetLoad.Minute(at(960), 0, 2, 1));
        assertThat(model.load(at(3_660)).minutes()).as("an hour and a minute later").filteredOn(
                minute -> minute.accepted() > 0).isEmpty();

        assertThat(model.content()).containsKey("index 52" + "%016x".formatted(at(0).getEpochSecond() / 60));
        model.pass(Duration.ofHours(24).plusMinutes(1));
        assertThat(model.content().keySet().stream().filter(key -> key.startsWith("index 52"))).hasSize(2);
        model.pass(Duration.ofHours(1));
        assertThat(model.content().keySet().stream().filter(key -> key.startsWith("index 52"))).isEmpty();
    }

    @Test
    void retentionRemovesTheHeadWithTheCall() {
        accept(0, 2);
        end(0, ResultStatus.OK);
        model.pass(Duration.ofHours(25));
        assertThat(offsets(CallFilter.ALL)).containsExactly(1L);
        model.pass(Duration.ofDays(7));
        assertThat(model.content()).containsOnlyKeys("index 46");
    }
}
