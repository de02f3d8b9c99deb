package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.load.Work;
import dev.toolfleet.bench.verdict.Written;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallLedgerTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final PlannedCall CALL = new PlannedCall(1, Duration.ZERO, "instance-1", 0,
            Work.of(Kind.ONCE, Course.DIRECT), Optional.empty());

    private final CallLedger ledger = new CallLedger();

    @Test
    void theRecordsOfACallAreInTheOrderOfTheirTopics() {
        ledger.sent(CALL);
        Written first = acknowledged(0, 9);
        Written again = acknowledged(1, 2);

        assertThat(ledger.facts().getFirst().records()).containsExactly(first, again);
    }

    @Test
    void aCallThatWasNeverAcknowledgedIsNoFact() {
        ledger.sent(CALL);

        assertThat(ledger.facts()).isEmpty();
    }

    @Test
    void onlyRecordsOfThePresentTopicCanBeGone() {
        ledger.sent(CALL);
        acknowledged(0, 9);
        acknowledged(1, 2);

        assertThat(ledger.gone(1, Map.of(CallLedger.place(3, 2), CALL.id()))).isEmpty();
        assertThat(ledger.gone(1, Map.of(CallLedger.place(3, 2), "another")))
                .containsExactly(CALL.id() + ", partition 3 offset 2");
        assertThat(ledger.gone(1, Map.of())).hasSize(1);
    }

    private Written acknowledged(int topic, long offset) {
        Written written = new Written(topic, offset, AT);
        ledger.acknowledged(new CallLedger.Entry(CALL.id(), 3, written));
        return written;
    }
}
