package dev.toolfleet.bench.verdict;

import java.time.Duration;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ContentCheckTest {
    private final Seen seen = new Seen()
            .call("a", new Work(Kind.ONCE, Course.DIRECT, Duration.ZERO, 100), 0).ran("a", "w1", 10, 15);

    @Test
    void aWholeAnswerIsRight() {
        assertThat(seen.answered("a", 20).broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void theAnswerOfAnotherCallIsFound() {
        assertThat(seen.answeredWith("a", 20, new GivenAnswer.Output("b", 100, 1)).broken(FaultKind.KILL))
                .containsExactly("CONTENT a");
    }

    @Test
    void anAnswerThatWasCutIsFound() {
        assertThat(seen.answeredWith("a", 20, new GivenAnswer.Output("a", 99, 1)).broken(FaultKind.KILL))
                .containsExactly("CONTENT a");
    }

    @Test
    void anAnswerThatMissedTheMiddlewareIsFound() {
        assertThat(seen.answeredWith("a", 20, new GivenAnswer.Output("a", 100, 0)).broken(FaultKind.KILL))
                .containsExactly("CONTENT a");
    }

    @Test
    void anAnswerThatPassedTheMiddlewareTwiceIsFound() {
        assertThat(seen.answeredWith("a", 20, new GivenAnswer.Output("a", 100, 2)).broken(FaultKind.KILL))
                .containsExactly("CONTENT a");
    }
}
