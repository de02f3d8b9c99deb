package dev.toolfleet.worker.commit;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OffsetLedgerTest {

    @Test
    void commitNeverPassesAGap() {
        OffsetLedger ledger = tracked(10, 11, 12);

        ledger.complete(11);
        ledger.complete(12);

        assertThat(ledger.frontier()).isEqualTo(10);
        assertThat(ledger.done()).isEqualTo(new DoneOffsets(10, List.of(1, 2)));
        ledger.complete(10);
        assertThat(ledger.frontier()).isEqualTo(13);
        assertThat(ledger.done()).isEqualTo(DoneOffsets.from(13));
    }

    @Test
    void whatNeverWasARecordTakesNoRoomInTheMetadata() {
        OffsetLedger ledger = tracked(0, 1, 4, 8);
        ledger.readUpTo(12);

        ledger.complete(1);
        ledger.complete(4);
        ledger.complete(8);

        assertThat(ledger.done()).as("one run, up to where was read").isEqualTo(new DoneOffsets(0, List.of(1, 11)));
        ledger.complete(0);
        assertThat(ledger.frontier()).isEqualTo(12);
    }

    @Test
    void whatWasNotReadYetIsNeverClaimed() {
        OffsetLedger ledger = tracked(0, 1, 2);

        ledger.complete(1);
        ledger.complete(2);

        assertThat(ledger.done().isDone(2)).isTrue();
        assertThat(ledger.done().isDone(3)).isFalse();
    }

    @Test
    void doneOffsetsOfAnEarlierOwnerStayDoneBeforeAndAfterTheyAreReadPast() {
        OffsetLedger ledger = new OffsetLedger(new DoneOffsets(100, List.of(2, 3, 1, 2)));

        assertThat(ledger.done()).as("nothing read yet").isEqualTo(new DoneOffsets(100, List.of(2, 3, 1, 2)));
        ledger.track(100);
        ledger.track(101);
        ledger.readUpTo(105);
        assertThat(ledger.done()).isEqualTo(new DoneOffsets(100, List.of(2, 3, 1, 2)));
        ledger.complete(100);
        ledger.complete(101);
        assertThat(ledger.frontier()).isEqualTo(105);
        assertThat(ledger.done()).isEqualTo(new DoneOffsets(105, List.of(1, 2)));
        ledger.track(105);
        ledger.readUpTo(108);
        ledger.complete(105);
        assertThat(ledger.frontier()).isEqualTo(108);
        assertThat(ledger.done()).isEqualTo(DoneOffsets.from(108));
    }

    @Test
    void aReopenedOffsetHoldsTheFrontierAgain() {
        OffsetLedger ledger = tracked(5, 6);
        ledger.complete(5);
        ledger.complete(6);

        ledger.reopen(5);

        assertThat(ledger.frontier()).isEqualTo(5);
        assertThat(ledger.inFlight()).isEqualTo(1);
    }

    @Test
    void anOffsetBehindTheReaderIsRefused() {
        OffsetLedger ledger = tracked(5, 6);

        assertThatThrownBy(() -> ledger.track(6)).hasMessageContaining("6").hasMessageContaining("7");
    }

    @Test
    void hundredsOfThousandsOfOffsetsPassInLittleMemory() {
        OffsetLedger ledger = new OffsetLedger(DoneOffsets.from(7));
        for (long offset = 7; offset < 400_007; offset++) {
            ledger.track(offset);
            if (offset >= 17) {
                ledger.complete(offset - 10);
                ledger.forget(ledger.frontier());
                assertThat(ledger.frontier()).isEqualTo(offset - 9);
            }
        }
        assertThat(ledger.inFlight()).isEqualTo(10);
        assertThat(ledger.done().runs()).isEmpty();
    }

    @Test
    void whatIsKeptSurvivesForgetting() {
        OffsetLedger ledger = new OffsetLedger(DoneOffsets.from(0));
        for (long offset = 0; offset < 100_000; offset++)
            ledger.track(offset);
        for (long offset = 0; offset < 100_000; offset++) {
            if (offset != 50_000 && offset != 60_000)
                ledger.complete(offset);
        }

        ledger.forget(ledger.frontier());

        assertThat(ledger.frontier()).isEqualTo(50_000);
        assertThat(ledger.done()).isEqualTo(new DoneOffsets(50_000, List.of(1, 9_999, 1, 39_999)));
        ledger.complete(50_000);
        assertThat(ledger.frontier()).isEqualTo(60_000);
    }

    /// Retention took the calls away while no worker ran: the reader jumps from the committed offset to the log's
    /// start.
    @Test
    void aReaderThatJumpsBeyondABitSetIsFollowed() {
        OffsetLedger ledger = new OffsetLedger(new DoneOffsets(5, List.of(1, 2)));
        long far = 3L * Integer.MAX_VALUE;

        ledger.track(far);
        assertThat(ledger.frontier()).isEqualTo(far);
        ledger.complete(far);
        ledger.readUpTo(2 * far);

        assertThat(ledger.frontier()).isEqualTo(2 * far);
        assertThat(ledger.done()).isEqualTo(DoneOffsets.from(2 * far));
    }

    private static OffsetLedger tracked(long... offsets) {
        OffsetLedger ledger = new OffsetLedger(DoneOffsets.from(offsets[0]));
        for (long offset : offsets)
            ledger.track(offset);
        return ledger;
    }
}
