package dev.toolfleet.worker.catalog;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.state.ChangeSignal;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StepCatalogsTest {
    private static final byte[] RECORD = record(1);

    @Test
    void theCallsOfAStepShareOneDecodedCatalog() {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal(), RECORD.length);
        steps.apply(0, "i/coder", RECORD, 0);

        assertThat(steps.newest("i", "coder")).isEqualTo(catalog(1)).isSameAs(steps.newest("i", "coder"));
    }

    @Test
    void aCatalogThatWasNotUsedIsDecodedAgainAndOneThatWasUsedStays() {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal(), 2L * RECORD.length);
        for (String instance : List.of("first", "second"))
            steps.apply(0, instance + "/coder", RECORD, 0);
        StepCatalog first = steps.newest("first", "coder");

        steps.apply(0, "third/coder", RECORD, 0);
        StepCatalog third = steps.newest("third", "coder");

        assertThat(steps.decodedBytes()).isEqualTo(2L * RECORD.length);
        assertThat(steps.newest("first", "coder")).isSameAs(first);
        assertThat(steps.newest("third", "coder")).isSameAs(third);
        assertThat(steps.newest("second", "coder")).isEqualTo(catalog(1));
        assertThat(steps.decodedBytes()).isEqualTo(2L * RECORD.length);
    }

    @Test
    void aCatalogThatStayedForItsUseLeavesWhenItIsNotUsedAgain() {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal(), RECORD.length);
        steps.apply(0, "first/coder", RECORD, 0);
        StepCatalog first = steps.newest("first", "coder");

        steps.apply(0, "second/coder", RECORD, 0);

        assertThat(steps.decodedBytes()).isEqualTo(RECORD.length);
        assertThat(steps.newest("second", "coder")).isEqualTo(catalog(1));
        assertThat(steps.newest("first", "coder")).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void aCatalogThatIsLargerThanTheBoundIsDecodedForEachCall() {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal(), RECORD.length - 1);
        steps.apply(0, "i/coder", RECORD, 0);

        assertThat(steps.decodedBytes()).isZero();
        assertThat(steps.newest("i", "coder")).isEqualTo(catalog(1)).isNotSameAs(steps.newest("i", "coder"));
    }

    @Test
    void aReplacedCatalogLeavesNoRoomTaken() {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal());
        steps.apply(0, "i/coder", RECORD, 0);
        byte[] later = record(2);
        steps.apply(0, "i/coder", later, 0);

        assertThat(steps.newest("i", "coder")).isEqualTo(catalog(2));
        assertThat(steps.decodedBytes()).isEqualTo(later.length);
    }

    @Test
    void aRecordThatIsNoCatalogLeavesTheOneBeforeIt() {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal());
        steps.apply(0, "i/coder", RECORD, 0);

        assertThatThrownBy(() -> steps.apply(0, "i/coder", "{}".getBytes(UTF_8), 0)).hasMessageContaining("missing");

        assertThat(steps.newest("i", "coder")).isEqualTo(catalog(1));
    }

    private static byte[] record(int step) {
        return WireCodec.of(StepCatalog.class).write(catalog(step));
    }

    private static StepCatalog catalog(int step) {
        return new StepCatalog("i", "coder", "t", "s" + step, step, "sha256:s" + step, null, "acme", 1, null,
                Instant.EPOCH, false, List.of());
    }
}
