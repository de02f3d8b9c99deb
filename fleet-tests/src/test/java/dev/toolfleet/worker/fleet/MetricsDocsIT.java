package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.telemetry.CallMeters;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A running worker exports exactly the metrics of `docs/metrics.md`, name by name and tag by tag, after calls of
/// several fates, and counts each fate.
@EmbeddedKafkaTest
class MetricsDocsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(toolfleet[\\w.]+)` \\| [^|]* \\| ([^|]*)\\|");
    private static final Pattern TAG = Pattern.compile("`([^`]+)`");
    private static final String INVENTED = "made__up";
    private static final String INSTANCE = "somebody-42";

    @TempDir
    private Path folder;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void aWorkerExportsWhatTheDocumentSays(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce(INSTANCE, "s1");
            fleet.announce("held", "s1");
            fleet.worker("w1", registry);

            fleet.send(call("c1", "t__echo", INSTANCE, Map.of("n", 1)));
            fleet.send(call("c1", "t__echo", INSTANCE, Map.of("n", 1)));
            fleet.send(call("c1", "t__echo", INSTANCE, Map.of("n", 2)));
            fleet.send(call("c2", "t__fail", INSTANCE, Map.of("how", "known")));
            fleet.send(call("c3", "t__fail", INSTANCE, Map.of("how", "exception")));
            fleet.send(call("c4", INVENTED, INSTANCE, Map.of()));
            fleet.send(call("c5", "t__pend", INSTANCE, Map.of("handle", tag)));
            fleet.send(Topic.CALL, 0, INSTANCE, "no call at all".getBytes(StandardCharsets.UTF_8));
            fleet.send(call("hold1", "t__held", "held", Map.of("tag", tag)));
            fleet.send(call("next", "t__held", "held", Map.of("tag", tag)));
            assertThat(fleet.results(7)).hasSize(7);

            await().atMost(SOON).untilAsserted(this::oneRunsAndOneWaitsBehindIt);
            TestTools.probe(tag).gate.countDown();
            assertThat(fleet.results(9)).hasSize(9);
            await().atMost(SOON).untilAsserted(this::eachFateIsCounted);

            String scrape = registry.scrape();
            assertThat(scrape).contains("toolfleet_calls_end_to_end_seconds_bucket{le=\"0.005\"}")
                    .contains("toolfleet_calls_queue_wait_seconds_bucket{le=\"3600.0\"}")
                    .doesNotContain(INVENTED, INSTANCE);
            exportsWhatIsDocumented();
        }
    }

    private void oneRunsAndOneWaitsBehindIt() {
        assertThat(gauge(LoadMeters.LANES_STALLED_AGE)).isPositive();
        assertThat(gauge(LoadMeters.CALLS_RUNNING)).isEqualTo(1);
        assertThat(gauge(LoadMeters.LANES_ACTIVE)).isEqualTo(1);
        assertThat(gauge(LoadMeters.BACKLOG)).as("who waits behind its own instance is no backlog").isZero();
        assertThat(gauge(WorkerMeters.CALLS_INFLIGHT)).isEqualTo(2);
        assertThat(gauge(LoadMeters.OFFSET_SEEN) - gauge(LoadMeters.OFFSET_COMMITTED)).isEqualTo(2);
        assertThat(gauge(LoadMeters.HANDLES_PENDING, WorkerMeters.TOOL, "test/t__pend")).isEqualTo(1);
    }

    private void eachFateIsCounted() {
        assertThat(completed("test/t__echo", "ok", "none")).isEqualTo(1);
        assertThat(
                registry.find(CallMeters.COMPLETED).tags(WorkerMeters.TOOL, "test/t__fail", CallMeters.STATUS, "error")
                        .counters().stream().mapToDouble(Counter::count).sum())
                .as("whatever the code, on a slow machine").isEqualTo(2);
        assertThat(completed("test/t__pend", "pending", "none")).isEqualTo(1);
        assertThat(completed("none", "error", "E_TOOL_NOT_IN_CATALOG")).isEqualTo(1);
        assertThat(completed("none", "error", "E_CALL_IDENTITY_CONFLICT")).isEqualTo(1);
        assertThat(completed("test/t__held", "ok", "none")).isEqualTo(2);
        assertThat(value(CallMeters.RECEIVED, Statistic.COUNT)).isEqualTo(10);
        assertThat(value(CallMeters.DEAD_LETTERS, Statistic.COUNT)).isEqualTo(1);
        assertThat(value(CallMeters.END_TO_END, Statistic.COUNT)).as("final results").isEqualTo(7);
        assertThat(value(CallMeters.HANDLER_TIME, Statistic.COUNT, WorkerMeters.TOOL, "test/t__held")).isEqualTo(2);
        assertThat(value(LoadMeters.TRANSACTION_RECORDS, Statistic.COUNT)).isPositive();
        assertThat(value(LoadMeters.TAKE_OVER_TIME, Statistic.COUNT)).isEqualTo(1);
    }

    private void exportsWhatIsDocumented() throws IOException {
        Map<String, Set<String>> documented = new HashMap<>();
        for (Matcher row = ROW.matcher(Files.readString(Path.of("../docs/metrics.md"))); row.find();)
            documented.put(row.group(1), tags(row.group(2)));
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            assertThat(documented).containsKey(id.getName());
            assertThat(id.getTags()).extracting(Tag::getKey).as(id.getName())
                    .containsExactlyInAnyOrderElementsOf(documented.get(id.getName()));
        }
        assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName())).contains(LoadMeters.BACKLOG,
                LoadMeters.READY, LoadMeters.APPROVALS_OPEN, LoadMeters.METADATA, WorkerMeters.PARTITIONS_HELD);
    }

    private static Set<String> tags(String cell) {
        return TAG.matcher(cell).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private double gauge(String name, String... tags) {
        return value(name, Statistic.VALUE, tags);
    }

    private double completed(String tool, String status, String code) {
        return value(CallMeters.COMPLETED, Statistic.COUNT, WorkerMeters.TOOL, tool, CallMeters.STATUS, status,
                CallMeters.CODE, code);
    }

    /// No number as long as the meter does not exist: some appear with what they count.
    private double value(String name, Statistic statistic, String... tags) {
        Meter meter = registry.find(name).tags(tags).meter();
        if (meter == null)
            return Double.NaN;
        for (Measurement measurement : meter.measure()) {
            if (measurement.getStatistic() == statistic)
                return measurement.getValue();
        }
        throw new IllegalArgumentException(name + " has no " + statistic);
    }
}
