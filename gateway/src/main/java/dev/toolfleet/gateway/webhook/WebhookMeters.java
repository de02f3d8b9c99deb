package dev.toolfleet.gateway.webhook;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/// Meters of webhooks, by Micrometer's names; public API for monitoring.
public final class WebhookMeters {
    /// Counter: attempts to deliver a result, by [#OUTCOME].
    public static final String ATTEMPTS = "toolfleet.gateway.webhooks.attempts";
    /// Counter: results that were given up and became dead letters.
    public static final String DEAD_LETTERS = "toolfleet.gateway.webhooks.dead.letters";
    /// Gauge: results of this gateway's partitions that are not delivered yet.
    public static final String PENDING = "toolfleet.gateway.webhooks.pending";
    /// The tag of [#ATTEMPTS]: `delivered` or `failed`.
    public static final String OUTCOME = "outcome";

    private final Counter delivered;
    private final Counter failed;
    private final Counter dead;
    private final Map<Integer, Long> open = new ConcurrentHashMap<>();

    WebhookMeters(MeterRegistry meters) {
        delivered = attempts(meters, "delivered");
        failed = attempts(meters, "failed");
        dead = Counter.builder(DEAD_LETTERS).description("results that were given up and became dead letters")
                .register(meters);
        Gauge.builder(PENDING, open, WebhookMeters::sum).strongReference(true)
                .description("results of this gateway's partitions that are not delivered yet").register(meters);
    }

    private static Counter attempts(MeterRegistry meters, String outcome) {
        return Counter.builder(ATTEMPTS).tag(OUTCOME, outcome).description("attempts to deliver a result")
                .register(meters);
    }

    private static double sum(Map<Integer, Long> open) {
        return open.values().stream().mapToLong(Long::longValue).sum();
    }

    void attempt(boolean reached) {
        (reached ? delivered : failed).increment();
    }

    void gaveUp() {
        dead.increment();
    }

    void open(int partition, long deliveries) {
        if (deliveries == 0)
            open.remove(partition);
        else
            open.put(partition, deliveries);
    }
}
