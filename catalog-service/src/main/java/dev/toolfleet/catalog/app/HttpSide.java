package dev.toolfleet.catalog.app;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.toolfleet.catalog.http.CatalogServer;
import dev.toolfleet.catalog.http.Declarations;
import dev.toolfleet.catalog.middleware.LayerThreads;
import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.catalog.telemetry.Meters;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.wire.UnknownKinds;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP part of a catalog service: the server, its meters, and the data for both. It holds its port from its
/// construction on.
final class HttpSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSide.class);

    /// Meters that are left out: those per operation of every store of every partition, per processor, and per broker.
    /// They are hundreds, and Kafka Streams fills most only when it records for debugging.
    private static final List<String> TOO_MANY = List.of("kafka.stream.state.", "kafka.stream.processor.node.",
            "kafka.consumer.node.", "kafka.producer.node.", "kafka.admin.");

    private final CatalogServer server;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicBoolean tableRead = new AtomicBoolean();
    private @Nullable KafkaStreamsMetrics streamsMetrics;

    HttpSide(HttpConfig config) {
        this.server = new CatalogServer(config);
    }

    /// Returns the client properties with this service's address, which the members of its group exchange.
    Map<String, String> advertise(Map<String, String> kafka) {
        Map<String, String> with = new HashMap<>(kafka);
        with.put(StreamsConfig.APPLICATION_SERVER_CONFIG, server.reachedAt().toString());
        return with;
    }

    /// Returns `http://host:port`.
    String url() {
        return "http://" + server.reachedAt();
    }

    /// Starts to answer; at first the service is not ready.
    ///
    /// @param notReady returns the reasons why the service is not ready; empty when it is
    OwnSteps start(StreamsRun run, String stepTopic, ResourceTable table, StepFaults faults,
            LayerThreads layers, Supplier<List<String>> notReady) {
        OwnSteps steps = new OwnSteps(run, stepTopic, server.reachedAt());
        Declarations service = new Declarations() {
            @Override
            public Optional<FleetResources> resources() {
                return tableRead.get() ? Optional.of(table.view()) : Optional.empty();
            }

            @Override
            public List<String> notReady() {
                return notReady.get();
            }

            @Override
            public boolean isAlive() {
                return !run.stopped().isDone();
            }
        };
        TOO_MANY.forEach(names -> meters.config().meterFilter(MeterFilter.denyNameStartsWith(names)));
        Gauge.builder(Meters.READY, notReady, reasons -> reasons.get().isEmpty() ? 1 : 0).register(meters);
        FunctionCounter.builder(Meters.REPLACED_THREADS, run, StreamsRun::replacedThreads).register(meters);
        Gauge.builder(Meters.LEFT_BEHIND, layers, LayerThreads::leftBehind).register(meters);
        Gauge.builder(Meters.BUNDLES_REFUSED, table, read -> read.refused().size()).register(meters);
        FunctionCounter.builder(Meters.RECORDS_UNKNOWN, UnknownKinds.class, _ -> UnknownKinds.met()).register(meters);
        FunctionCounter.builder(Meters.FAULTS, faults, StepFaults::total).register(meters);
        server.start(steps, service, meters, InstantSource.system());
        LOG.atInfo().addKeyValue(CatalogLogKeys.URL, url()).log("HTTP server started");
        return steps;
    }

    /// Marks the run as answering steps.
    synchronized void started(StreamsRun run) {
        tableRead.set(true);
        run.streams().ifPresent(streams -> {
            KafkaStreamsMetrics ofStreams = new KafkaStreamsMetrics(streams);
            ofStreams.bindTo(meters);
            streamsMetrics = ofStreams;
        });
        bindMachine();
    }

    @SuppressWarnings("resource") // These two have nothing to close.
    private void bindMachine() {
        new JvmMemoryMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
    }

    @Override
    public synchronized void close() {
        server.close();
        if (streamsMetrics != null)
            streamsMetrics.close();
        meters.close();
    }
}
