package dev.toolfleet.bench.crash;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OpenCallsTest {
    private final OpenCalls calls = new OpenCalls();

    @Test
    void aCallWrittenTwiceWaitsForTwoResults() {
        calls.sent("a");
        calls.sent("a");
        calls.answered("a");

        assertThat(calls.open()).isEqualTo(1);
        assertThat(calls.some(5)).containsExactly("a");
        calls.answered("a");
        assertThat(calls.open()).isZero();
    }

    @Test
    void aResultTooManyAnswersNoOtherCall() {
        calls.sent("a");
        calls.answered("a");
        calls.answered("a");
        calls.sent("b");

        assertThat(calls.open()).isEqualTo(1);
        assertThat(calls.some(5)).containsExactly("b");
    }

    @Test
    void aResultTooManyCountsForALaterRecordOfTheSameCall() {
        calls.sent("a");
        calls.answered("a");
        calls.answered("a");
        calls.sent("a");

        assertThat(calls.open()).isZero();
        assertThat(calls.sent()).isEqualTo(2);
        assertThat(calls.answered()).isEqualTo(2);
    }
}
