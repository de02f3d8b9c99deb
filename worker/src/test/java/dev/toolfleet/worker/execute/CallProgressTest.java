package dev.toolfleet.worker.execute;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.Progress;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CallProgressTest {
    private final ManualTimers timers = new ManualTimers();
    private final List<Progress> published = new ArrayList<>();
    private final CallProgress call = new CallProgress(published::add, timers.loop(), timers::nanos);

    @Test
    void theFirstIsToldAtOnceAndOfASecondsOthersTheNewestAtItsEnd() {
        call.report(1.0, "compiles");
        call.report(2.0, "compiles");
        timers.pass(400);
        call.report(3.0, "tests");

        assertThat(published).containsExactly(new Progress(1.0, "compiles"));
        timers.pass(599);
        assertThat(published).hasSize(1);
        timers.pass(1);
        assertThat(published).containsExactly(new Progress(1.0, "compiles"), new Progress(3.0, "tests"));
    }

    @Test
    void noSecondHasTwoEvents() {
        for (int tenth = 0; tenth < 100; tenth++) {
            call.report((double) tenth, null);
            timers.pass(100);
        }

        assertThat(published).hasSizeLessThanOrEqualTo(11).hasSizeGreaterThanOrEqualTo(10);
        assertThat(timers.waiting()).isLessThanOrEqualTo(1);
    }

    @Test
    void aPauseIsOverAtOnce() {
        call.report(1.0, null);
        timers.pass(1_000);
        call.report(2.0, null);

        assertThat(published).hasSize(2);
        assertThat(timers.waiting()).as("no timer for what is not held back").isZero();
    }

    @Test
    void whatIsHeldBackWhenTheCallEndsIsNotToldAndNothingAfterIt() {
        call.report(1.0, null);
        call.report(2.0, null);
        call.end();
        timers.pass(5_000);
        call.report(3.0, null);
        timers.pass(5_000);

        assertThat(published).containsExactly(new Progress(1.0, null));
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void onlyPercentagesFromNoneToAllAreAccepted() {
        for (double percent : new double[]{-0.1, 100.1, Double.NaN, Double.POSITIVE_INFINITY, 400}) {
            assertThatThrownBy(() -> call.report(percent, null)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Double.toString(percent));
        }
        call.report(0.0, null);
        call.end();

        assertThat(published).containsExactly(new Progress(0.0, null));
    }

    @Test
    void aLongMessageIsCutAndNoSurrogatePairSplit() {
        call.report(null, "😀".repeat(600));
        timers.pass(1_000);
        call.report(null, "half a pair: \ud83d");

        assertThat(published.getFirst().message()).hasSizeLessThanOrEqualTo(1_000).endsWith("😀... (truncated)");
        assertThat(published.getLast().message()).isEqualTo("half a pair: ?");
    }
}
