package dev.toolfleet.worker.app;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.telemetry.CallTraces;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.jspecify.annotations.Nullable;

/// Sends spans to a collector, in batches and on a thread of its own: a collector that is slow or away costs spans and no
/// call. Makes nothing when tracing is off.
final class TraceExport implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final CallTraces traces;
    private final @Nullable SdkTracerProvider provider;

    private TraceExport(CallTraces traces, @Nullable SdkTracerProvider provider) {
        this.traces = traces;
        this.provider = provider;
    }

    static TraceExport of(TracingConfig config, String worker) {
        return config.endpoint().map(endpoint -> to(endpoint, config.sampling(), worker))
                .orElseGet(() -> new TraceExport(CallTraces.OFF, null));
    }

    private static TraceExport to(URI endpoint, double sampling, String worker) {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint.toString())
                .setTimeout(TIMEOUT).build();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"), "toolfleet-worker",
                        AttributeKey.stringKey("service.instance.id"), worker))))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(sampling)))
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build()).build();
        return new TraceExport(CallTraces.of(provider.get("dev.toolfleet.worker")), provider);
    }

    CallTraces traces() {
        return traces;
    }

    /// Sends what is left, for a few seconds at most.
    @Override
    public void close() {
        if (provider != null)
            provider.shutdown().join(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
