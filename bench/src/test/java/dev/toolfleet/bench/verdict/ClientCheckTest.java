package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClientCheckTest {
    private final Seen seen = new Seen().call("a", Kind.ONCE, 0, 5).ran("a", "w1", 10, 15).answered("a", 20);

    @Test
    void aClientThatGotTheResultOfTheTopicIsRight() {
        assertThat(seen.clientOf("a", "ok a").broken(FaultKind.GATEWAY)).isEmpty();
        assertThat(seen.report(FaultKind.GATEWAY).clients())
                .contains(new CrashReport.Clients(1, 1, 1));
    }

    @Test
    void aClientWithoutAnAnswerIsFoundAlsoWhenTheCallHasOne() {
        assertThat(seen.clientWithout("a", "status 404").broken(FaultKind.GATEWAY))
                .containsExactly("CLIENTS_ANSWERED a");
    }

    @Test
    void aClientWithAnotherAnswerThanTheTopicIsFound() {
        assertThat(seen.clientOf("a", "ok b").broken(FaultKind.GATEWAY)).containsExactly("CLIENTS_AGREE a");
    }

    @Test
    void anAnswerThatIsNotOnTheTopicIsFound() {
        Seen lost = new Seen().call("a", Kind.ONCE, 0, 5).ran("a", "w1", 10, 15).clientOf("a", "ok a");
        assertThat(lost.broken(FaultKind.GATEWAY)).contains("CLIENTS_AGREE a", "ANSWERED a");
    }
}
