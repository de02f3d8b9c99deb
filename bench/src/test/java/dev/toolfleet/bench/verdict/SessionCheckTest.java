package dev.toolfleet.bench.verdict;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionCheckTest {
    @Test
    void oneMessageForEachResultInTheirOrderIsRight() {
        assertThat(check(List.of(owed("i", "a"), owed("j", "x"), owed("i", "b")),
                List.of(message("j", "x"), message("i", "a"), message("i", "b")))).isEmpty();
    }

    @Test
    void missingDoubleAndUnknownMessagesAreFound() {
        assertThat(check(List.of(owed("i", "a"), owed("i", "b")),
                List.of(message("i", "b"), message("i", "b"), message("i", "c")))).extracting(Violation::what)
                .containsExactlyInAnyOrder("its result has 0 messages a, for 1 results",
                        "its result has 2 messages b, for 1 results", "a message of no result");
    }

    @Test
    void twoPendingAnswersOfACallMayHaveOneMessageOrTwo() {
        List<SessionFacts.Owed> twice = List.of(owed("i", "a"), owed("i", "a"));

        assertThat(check(twice, List.of(message("i", "a")))).isEmpty();
        assertThat(check(twice, List.of(message("i", "a"), message("i", "a")))).isEmpty();
    }

    @Test
    void anotherOrderIsFound() {
        assertThat(check(List.of(owed("i", "a"), owed("i", "b")), List.of(message("i", "b"), message("i", "a"))))
                .singleElement().satisfies(violation -> {
                    assertThat(violation.promise()).isEqualTo(Promise.MESSAGE_ORDER);
                    assertThat(violation.what()).isEqualTo("results came as [a, b], and their messages as [b, a]");
                });
    }

    private static List<Violation> check(List<SessionFacts.Owed> owed, List<SessionFacts.Message> written) {
        return SessionCheck.violations(new SessionFacts(owed, written));
    }

    private static SessionFacts.Owed owed(String session, String id) {
        return new SessionFacts.Owed(session, id, "call-" + id);
    }

    private static SessionFacts.Message message(String session, String id) {
        return new SessionFacts.Message(session, id);
    }
}
