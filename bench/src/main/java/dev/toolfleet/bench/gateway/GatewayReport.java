package dev.toolfleet.bench.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import dev.toolfleet.bench.compare.ComparisonFindings;
import dev.toolfleet.bench.compare.Medians;
import dev.toolfleet.bench.compare.Numbers;
import dev.toolfleet.bench.compare.Table;
import dev.toolfleet.bench.gateway.GatewayFindings.Capacity;
import dev.toolfleet.bench.gateway.GatewayFindings.Disk;
import dev.toolfleet.bench.gateway.GatewayFindings.Memory;
import dev.toolfleet.bench.gateway.GatewayFindings.Rated;

/// Report of a gateway beside the Kafka client. Pure.
final class GatewayReport {
    static final String CLIENT = "Kafka client";
    static final String GATEWAY = "gateway";
    private static final double GOAL_P50 = 2;
    private static final double GOAL_P99 = 10;
    private static final int GOAL_SHARE = 70;
    private static final double MEGA = 1024 * 1024;
    private static final double MILLION = 1e6;

    private final GatewayOptions options;

    GatewayReport(GatewayOptions options) {
        this.options = options;
    }

    ComparisonFindings findings(GatewayFindings found) {
        return new ComparisonFindings(summary(found), notes(found), measured(found), found.failed() == 0);
    }

    private Table summary(GatewayFindings found) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(compared(options.clients() + " clients without a pause, calls/s", capacity(found, CLIENT),
                capacity(found, GATEWAY), 0));
        for (int share : GatewayRun.SHARES) {
            String load = share + " % of that, " + rate(found, share) + " calls/s: ";
            for (double percent : List.of(50.0, 99.0, 99.9))
                rows.add(compared(load + "p" + (percent == 99.9 ? "99.9" : Numbers.whole(percent)) + " ms",
                        millis(found, CLIENT, share, percent), millis(found, GATEWAY, share, percent), 1));
        }
        Memory memory = found.memory();
        rows.add(alone("resident MB, no stream", Numbers.whole(memory.residentBefore() / MEGA)));
        rows.add(alone("resident MB, " + Numbers.whole(memory.streams()) + " open streams",
                Numbers.whole(memory.residentWith() / MEGA)));
        rows.add(alone("live heap KB per open stream",
                Numbers.tenths((memory.heapWith() - memory.heapBefore()) / 1024.0 / memory.streams())));
        Disk disk = found.disk();
        rows.add(alone("records and transaction marks read per call",
                Numbers.tenths((double) disk.records() / disk.calls())));
        rows.add(alone("GB of topics that it reads, per million calls", perMillion(disk.topics(), disk)));
        rows.add(alone("GB of stores at their owner, per million calls", perMillion(disk.stores(), disk)));
        rows.add(alone("GB of changelogs before compaction, per million calls", perMillion(disk.changelogs(), disk)));
        return new Table(List.of("what", CLIENT, GATEWAY, "ratio"), rows);
    }

    private static List<String> compared(String what, double client, double gateway, int digits) {
        String format = "%,." + digits + "f";
        return List.of(what, String.format(Locale.ROOT, format, client), String.format(Locale.ROOT, format, gateway),
                client == 0 ? "" : Numbers.hundredths(gateway / client) + " ×");
    }

    private static List<String> alone(String what, String gateway) {
        return List.of(what, "", gateway, "");
    }

    private static String perMillion(long bytes, Disk disk) {
        return Numbers.hundredths(bytes * MILLION / disk.calls() / MEGA / 1024);
    }

    private static double capacity(GatewayFindings found, String door) {
        return Medians.of(found.capacities().stream().filter(each -> each.door().equals(door)).toList(),
                Capacity::perSecond);
    }

    private static int rate(GatewayFindings found, int share) {
        return found.loads().stream().filter(each -> each.share() == share).mapToInt(Rated::rate).findFirst()
                .orElseThrow();
    }

    private static double millis(GatewayFindings found, String door, int share, double percent) {
        return median(found, door, share, each -> each.times().at(percent).toNanos() / 1e6);
    }

    private static double median(GatewayFindings found, String door, int share, ToDoubleFunction<Rated> value) {
        return Medians.of(found.loads().stream().filter(each -> each.door().equals(door) && each.share() == share)
                .toList(), value);
    }

    private List<String> notes(GatewayFindings found) {
        List<String> notes = new ArrayList<>();
        notes.add("One worker, one gateway, a tool that returns its arguments at once, texts of "
                + options.textBytes() + " bytes, 500 instances. The gateway gets each call with a key of its own, and"
                + " waits for its result. The two take turns; medians of " + options.rounds() + " rounds of "
                + options.measured().toSeconds() + " s.");
        notes.add("Evenly coming calls are sent whether those before them were answered or not, and timed from the"
                + " instant at which they were due.");
        notes.add(goal(found, 50, GOAL_P50) + " " + goal(found, 99, GOAL_P99));
        double load = found.loads().stream().mapToDouble(Rated::loadAverage).max().orElse(0);
        notes.add(String.format(Locale.ROOT, "Load average of the machine: up to %.1f. Calls without their own answer:"
                + " %d.", load, found.failed()));
        notes.add("Resident memory is that of a heap of at most 512 MB. Streams wait for the next event of "
                + GatewayRun.STREAMED_CALLS + " pending calls.");
        notes.add("Disk after " + Numbers.whole(found.disk().calls())
                + " calls and the stop of the gateway. A standby has the stores once more, each copy of the changelogs"
                + " the changelogs; both keep a call for a day after its end.");
        return notes;
    }

    private static String goal(GatewayFindings found, int percent, double goal) {
        double above = millis(found, GATEWAY, GOAL_SHARE, percent) - millis(found, CLIENT, GOAL_SHARE, percent);
        return String.format(Locale.ROOT, "p%d of the gateway at %d %%: %.1f ms above the client's; goal: at most"
                + " %.0f ms, %s.", percent, GOAL_SHARE, above, goal, above <= goal ? "met" : "not met");
    }

    private static Table measured(GatewayFindings found) {
        List<List<String>> rows = new ArrayList<>();
        found.capacities().forEach(each -> rows.add(List.of("capacity", each.door(), Integer.toString(each.round()),
                Numbers.plain(each.perSecond()), "", "", "", "", Integer.toString(each.failed()))));
        found.loads().forEach(each -> rows.add(List.of(each.share() + "%", each.door(),
                Integer.toString(each.round()), Integer.toString(each.rate()), millis(each, 50), millis(each, 99),
                millis(each, 100), Numbers.plain(each.loadAverage()), Integer.toString(each.failed()))));
        return new Table(List.of("load", "door", "round", "calls_per_second", "p50_ms", "p99_ms", "max_ms",
                "load_average", "failed"), rows);
    }

    private static String millis(Rated each, double percent) {
        return Numbers.plain(each.times().at(percent).toNanos() / 1e6);
    }
}
