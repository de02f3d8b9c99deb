package dev.toolfleet.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Report of the memory of engines. Pure.
final class FootprintReport {
    private final FootprintOptions options;

    FootprintReport(FootprintOptions options) {
        this.options = options;
    }

    ComparisonFindings findings(List<Footprint> footprints) {
        List<String> notes = new ArrayList<>();
        notes.add(String.format(Locale.ROOT,
                "Footprint: for %d s at least %,d calls with a text of %,d bytes and %d s of work were kept open, twice as"
                        + " many on the topic; the process was looked at each second. A worker with 10,000 calls of 1 KB"
                        + " is to stay below %.0f MB, and to grow by less than %.0f %% from the second fifth of the time"
                        + " to the last (judged from %d s on).",
                options.duration().toSeconds(), options.inFlight(), options.textBytes(),
                FootprintOptions.WORK.toSeconds(), Footprint.PROMISED / 1e6, 100 * (Footprint.GROWTH - 1),
                Footprint.LONG_ENOUGH_SECONDS));
        footprints.forEach(each -> notes.add(each.entrant().name() + ": " + each.entrant().arm().what() + "."));
        return new ComparisonFindings(summary(footprints), notes, measured(footprints),
                footprints.stream().allMatch(Footprint::kept));
    }

    private Table summary(List<Footprint> footprints) {
        return new Table(List.of("engine", "calls at work", "peak MB", "second fifth MB", "last fifth MB", "growth",
                "live heap MB", "missing", "twice", "disordered", "wrong"),
                footprints.stream().map(each -> List.of(each.entrant().name(),
                        Numbers.whole(each.perSecond() * FootprintOptions.WORK.toSeconds()), mega((double) each.peak()),
                        mega(each.fifth(1)), mega(each.fifth(4)),
                        String.format(Locale.ROOT, "%.1f %%", 100 * (each.growth() - 1)),
                        mega((double) each.liveHeap()),
                        Integer.toString(each.verdict().missing()), Integer.toString(each.verdict().duplicates()),
                        Integer.toString(each.verdict().disordered()), Integer.toString(each.verdict().wrong())))
                        .toList());
    }

    private static Table measured(List<Footprint> footprints) {
        List<List<String>> rows = new ArrayList<>();
        for (Footprint each : footprints) {
            for (int second = 0; second < each.resident().size(); second++)
                rows.add(List.of(each.entrant().name(), Integer.toString(second + 1),
                        Long.toString(each.resident().get(second))));
        }
        return new Table(List.of("engine", "second", "resident_bytes"), rows);
    }

    private static String mega(double bytes) {
        return Numbers.whole(bytes / 1e6);
    }
}
