package dev.toolfleet.bench.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import dev.toolfleet.bench.compare.ComparisonFindings;
import dev.toolfleet.bench.compare.Medians;
import dev.toolfleet.bench.fleet.GatewaySlot;
import dev.toolfleet.bench.fleet.LiveJvm;
import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.gateway.GatewayFindings.Capacity;
import dev.toolfleet.bench.gateway.GatewayFindings.Memory;
import dev.toolfleet.bench.gateway.GatewayFindings.Rated;

/// The Kafka client and one gateway take turns in front of one worker; then the gateway holds open streams, and is
/// stopped, so that its stores can be weighed. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record GatewayRun(GatewayOptions options, Path root, Consumer<String> progress) {
    /// Shares of the gateway's capacity at which calls come evenly, in percent.
    static final List<Integer> SHARES = List.of(10, 70);
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    static final int STREAMED_CALLS = 100;

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        progress.accept("starting a broker, a worker and a gateway ...");
        try (SoloFleet fleet = SoloFleet.start(root.resolve("fleet"), GatewayTools.class);
                GatewaySlot gateway = GatewaySlot.start(1, fleet.bootstrapServers(), SoloFleet.topics().prefix(),
                        root, root, List.of("-Xmx512m", "-Dlogback.configurationFile=bench-logback.xml"))) {
            gateway.awaitReady();
            return new GatewayReport(options).findings(measure(fleet, gateway));
        }
    }

    private GatewayFindings measure(SoloFleet fleet, GatewaySlot gateway) throws IOException, InterruptedException {
        DoorLoad load = new DoorLoad(options.textBytes());
        List<Capacity> capacities = new ArrayList<>();
        List<Rated> loads = new ArrayList<>();
        try (Door client = new KafkaDoor(fleet.bootstrapServers()); Door http = new HttpDoor(gateway.uri())) {
            List<Door> doors = List.of(client, http);
            progress.accept("warming up ...");
            for (Door door : doors)
                load.closed(door, options.clients(), WARM_UP);
            for (int round = 1; round <= options.rounds(); round++) {
                for (Door door : doors)
                    capacities.add(capacity(load, door, round));
            }
            double most = Medians.of(capacities.stream().filter(each -> each.door().equals(http.name())).toList(),
                    Capacity::perSecond);
            for (int share : SHARES) {
                int rate = Math.max(1, (int) (most * share / 100));
                for (int round = 1; round <= options.rounds(); round++) {
                    for (Door door : doors)
                        loads.add(rated(load, door, share, rate, round));
                }
            }
        }
        Memory memory = streams(load, gateway);
        gateway.stop();
        return new GatewayFindings(capacities, loads, memory, ReadModelDisk.weigh(fleet, root.resolve("fleet"),
                root.resolve(gateway.gateway()), load.calls()));
    }

    private Capacity capacity(DoorLoad load, Door door, int round) throws InterruptedException {
        DoorLoad.Answers answers = load.closed(door, options.clients(), options.measured());
        progress.accept(String.format(Locale.ROOT, "round %d, %d clients, %s: %.0f calls/s%s", round,
                options.clients(), door.name(), answers.perSecond(), failed(answers)));
        return new Capacity(door.name(), round, answers.perSecond(), answers.failed());
    }

    private Rated rated(DoorLoad load, Door door, int share, int rate, int round) throws InterruptedException {
        DoorLoad.Answers answers = load.open(door, rate, options.measured());
        progress.accept(String.format(Locale.ROOT, "round %d, %d calls/s, %s: p50 %.1f ms, p99 %.1f ms%s", round, rate,
                door.name(), answers.times().at(50).toNanos() / 1e6, answers.times().at(99).toNanos() / 1e6,
                failed(answers)));
        return new Rated(door.name(), share, rate, round, answers.failed(), answers.times(),
                ProcessUse.loadAverage());
    }

    private static String failed(DoorLoad.Answers answers) {
        return answers.failed() == 0 ? "" : ", " + answers.failed() + " failed";
    }

    private Memory streams(DoorLoad load, GatewaySlot gateway) throws IOException, InterruptedException {
        progress.accept("opening " + options.streams() + " streams ...");
        List<String> calls = new ArrayList<>();
        try (HttpDoor http = new HttpDoor(gateway.uri())) {
            for (int i = 0; i < STREAMED_CALLS; i++)
                calls.add(http.begin(load.next()));
        }
        // One stream of each call first, so that what a first stream needs is not counted.
        StreamCrowd.open(gateway.uri(), calls, STREAMED_CALLS).close();
        long heapBefore = LiveJvm.heapBytes(gateway.pid());
        long residentBefore = ProcessUse.residentBytes(gateway.pid());
        try (StreamCrowd crowd = StreamCrowd.open(gateway.uri(), calls, options.streams())) {
            long residentWith = ProcessUse.residentBytes(gateway.pid());
            return new Memory(crowd.size(), residentBefore, residentWith, heapBefore,
                    LiveJvm.heapBytes(gateway.pid()));
        }
    }
}
