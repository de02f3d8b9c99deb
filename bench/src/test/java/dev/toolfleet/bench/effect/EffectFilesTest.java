package dev.toolfleet.bench.effect;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bench.load.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EffectFilesTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123456Z");

    @Test
    void linesAreReadAsTheyWereWritten() {
        String text = line(EffectLine.Mark.BEGIN, 1, "a", 0) + line(EffectLine.Mark.BEGIN, 2, "b", 1)
                + line(EffectLine.Mark.END, 2, "b", 2) + line(EffectLine.Mark.CUT, 1, "a", 3);

        assertThat(EffectFiles.parse("worker-1", text)).containsExactly(
                new HandlerStart("a", "instance-1", Kind.ONCE, 1, "worker-1", AT, Optional.of(AT.plusSeconds(3))),
                new HandlerStart("b", "instance-1", Kind.ONCE, 1, "worker-1", AT.plusSeconds(1),
                        Optional.of(AT.plusSeconds(2))));
    }

    @Test
    void twoStartsOfOneCallAreTwoEffects() {
        String text = line(EffectLine.Mark.BEGIN, 1, "a", 0) + line(EffectLine.Mark.BEGIN, 2, "a", 1)
                + line(EffectLine.Mark.END, 2, "a", 2);

        assertThat(EffectFiles.parse("worker-1", text)).extracting(HandlerStart::end).containsExactly(Optional.empty(),
                Optional.of(AT.plusSeconds(2)));
    }

    @Test
    void aLineThatDeathCutShortIsLeftOut() {
        String begin = line(EffectLine.Mark.BEGIN, 1, "a", 0);
        String end = line(EffectLine.Mark.END, 1, "a", 1);

        List<HandlerStart> effects = EffectFiles.parse("worker-1", begin + end.substring(0, end.length() - 1));

        assertThat(effects).extracting(HandlerStart::end).containsExactly(Optional.empty());
        assertThat(EffectFiles.parse("worker-1", begin.substring(0, 9) + "\n")).isEmpty();
    }

    private static String line(EffectLine.Mark mark, long run, String call, int second) {
        return new EffectLine(mark, AT.plusSeconds(second), run, Kind.ONCE, call, "instance-1", 1).text();
    }
}
