package dev.toolfleet.bench.crash;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AwaitedCallsTest {
    private final AwaitedCalls calls = new AwaitedCalls();

    @Test
    void aCallWrittenTwiceWaitsForTwoResults() {
        calls.sent("a", false);
        calls.sent("a", false);
        calls.answered("a");

        assertThat(calls.open()).isEqualTo(1);
        assertThat(calls.some(5)).containsExactly("a");
        calls.answered("a");
        assertThat(calls.open()).isZero();
    }

    @Test
    void aResultTooManyAnswersNoOtherCall() {
        calls.sent("a", false);
        calls.answered("a");
        calls.answered("a");
        calls.sent("b", false);

        assertThat(calls.open()).isEqualTo(1);
        assertThat(calls.some(5)).containsExactly("b");
    }

    @Test
    void aResultTooManyCountsForALaterRecordOfTheSameCall() {
        calls.sent("a", false);
        calls.answered("a");
        calls.answered("a");
        calls.sent("a", false);

        assertThat(calls.open()).isZero();
        assertThat(calls.sent()).isEqualTo(2);
        assertThat(calls.answered()).isEqualTo(2);
    }

    @Test
    void aPendingCallThatIsWrittenTwiceWaitsForOneFinalResult() {
        calls.sent("a", true);
        calls.sent("a", true);
        calls.pending("a");

        assertThat(calls.open()).isEqualTo(1);
        calls.answered("a");
        assertThat(calls.open()).isZero();
    }

    @Test
    void aCallThatWasWrittenAgainAndIsPendingIsWaitedForWhenAnotherTopicGoes() {
        calls.sent("a", true);
        calls.topicDeleted();
        calls.sent("a", true);
        calls.pending("a");
        calls.topicDeleted();

        assertThat(calls.some(5)).containsExactly("a");
        assertThat(calls.open()).isEqualTo(1);
        calls.answered("a");
        assertThat(calls.open()).isZero();
    }

    @Test
    void whatWentWithItsTopicIsNotWaitedForUnlessItIsPending() {
        calls.sent("a", false);
        calls.sent("b", true);
        calls.pending("b");
        calls.topicDeleted();

        assertThat(calls.open()).isEqualTo(1);
        assertThat(calls.doubtful()).isEqualTo(1);
        calls.answered("a");
        calls.sent("a", false);
        assertThat(calls.open()).isEqualTo(2);
        assertThat(calls.doubtful()).isZero();
    }
}
