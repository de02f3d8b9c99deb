package dev.toolfleet.worker.commit;

import java.util.Base64;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DoneOffsetsTest {

    @Test
    void nothingDoneIsEmptyMetadata() {
        assertThat(DoneOffsets.from(5).encode()).isEmpty();
        assertThat(DoneOffsets.decode(5, "")).isEqualTo(DoneOffsets.from(5));
        assertThat(DoneOffsets.decode(5, null)).isEqualTo(DoneOffsets.from(5));
    }

    @Test
    void whatLiesBelowTheFrontierIsDone() {
        DoneOffsets done = new DoneOffsets(100, List.of(2, 3));

        assertThat(done.isDone(99)).isTrue();
        assertThat(done.isDone(100)).isFalse();
        assertThat(done.isDone(101)).isFalse();
        assertThat(done.isDone(102)).isTrue();
        assertThat(done.isDone(104)).isTrue();
        assertThat(done.isDone(105)).isFalse();
    }

    /// The text is what earlier workers wrote: it must not change.
    @Test
    void theCodeIsStable() {
        assertThat(new DoneOffsets(9, List.of(1, 300, 128, 1)).encode()).isEqualTo("tf1:AawCgAEB");
        assertThat(DoneOffsets.decode(9, "tf1:AawCgAEB")).isEqualTo(new DoneOffsets(9, List.of(1, 300, 128, 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "written by another tool", "tf1", "tf2:AQE", "tf1:*", "tf1:AQEB", "tf1:gA", "tf1:A",
            "tf1:______8B", "tf1:Af____9_", "TF1:AQE", "tf1:AQE ", " tf1:AQE"})
    void foreignOrDamagedMetadataSaysNothing(String metadata) {
        assertThat(DoneOffsets.decode(7, metadata)).isEqualTo(DoneOffsets.from(7));
    }

    /// A ledger that is opened with them would need an absurd amount of memory, and its thread would die of it again
    /// and again.
    @Test
    void runsThatReachTooFarAreDamage() {
        String longest = encoded(0xff, 0xff, 0xff, 0xff, 0x07, 0xff, 0xff, 0xff, 0xff, 0x07);
        String twice = encoded(0xff, 0xff, 0xff, 0xff, 0x07, 0xff, 0xff, 0xff, 0xff, 0x07, 0x01, 0x01);

        assertThat(DoneOffsets.decode(7, longest)).isEqualTo(DoneOffsets.from(7));
        assertThat(DoneOffsets.decode(7, twice)).isEqualTo(DoneOffsets.from(7));
        assertThat(new OffsetLedger(DoneOffsets.decode(7, longest)).frontier()).isEqualTo(7);
    }

    private static String encoded(int... bytes) {
        byte[] raw = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++)
            raw[i] = (byte) bytes[i];
        return "tf1:" + Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
    }
}
