package dev.toolfleet.gateway.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;

import javax.net.ssl.SSLSocketFactory;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.Delivery;
import dev.toolfleet.gateway.calls.Delivery.Outcome;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.worker.egress.AddressLookup;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Courier over HTTP: signs results by Standard Webhooks 1.0 and posts them.
///
/// **Contract.** An attempt ends within [#ATTEMPT], whatever the receiver does. Redirects are not followed. Any status
/// from 200 to 299 is a delivery. 410 means never again. Logs have host and port, and neither path nor query.
///
/// **Threads.** Each attempt has a virtual thread.
public final class Webhooks implements Courier, AutoCloseable {
    /// The longest time of one attempt.
    static final Duration ATTEMPT = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final int OK = 200;
    private static final int REDIRECT = 300;
    private static final int GONE = 410;
    private static final int MAX_REASON = 200;

    private final WebhookConfig config;
    private final WebhookMeters meters;
    private final InstantSource clock;
    private final Duration longest;
    private final ReceiverSlots slots = new ReceiverSlots();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
            Thread.ofPlatform().daemon().name("webhook-timer").factory());
    private final ExecutorService threads = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("webhook-", 0).factory());
    private final ReceiverAddresses addresses;
    private final WebhookPost exchange;

    /// Sends by this machine's name service and interfaces, and to holders of certificates that Java trusts.
    public Webhooks(WebhookConfig config, MeterRegistry meters) {
        this(config, meters, InstantSource.system(), AddressLookup.ofMachine(),
                (SSLSocketFactory) SSLSocketFactory.getDefault(), ATTEMPT);
    }

    /// @param longest the longest time of one attempt
    Webhooks(WebhookConfig config, MeterRegistry meters, InstantSource clock, AddressLookup lookup,
            SSLSocketFactory tls, Duration longest) {
        this.longest = longest;
        this.config = config;
        this.meters = new WebhookMeters(meters);
        this.clock = clock;
        this.addresses = new ReceiverAddresses(config, lookup);
        this.exchange = new WebhookPost(tls, timer);
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Optional<Room> room(Callback callback, int bytes) {
        ReceiverSlots.Slot slot = slots.take(receiver(callback), bytes);
        return slot == null ? Optional.empty() : Optional.of((delivery, ended) -> begin(slot, delivery, ended));
    }

    private void begin(ReceiverSlots.Slot slot, Delivery delivery, Consumer<Outcome> ended) {
        try {
            threads.execute(() -> {
                Outcome outcome = new Outcome.Failed("the gateway failed");
                try {
                    outcome = attempt(delivery);
                } catch (RuntimeException e) {
                    LOG.atError().setCause(e).addKeyValue(WebhookLogKeys.CALL, delivery.call())
                            .log("webhook attempt broke");
                } finally {
                    boolean reached = outcome instanceof Outcome.Delivered;
                    slots.release(slot, reached);
                    meters.attempt(reached);
                    ended.accept(outcome);
                }
            });
        } catch (RejectedExecutionException e) {
            // The gateway stops. The delivery stays open for the next owner of its partition.
            slots.release(slot, false);
        }
    }

    private Outcome attempt(Delivery delivery) {
        WebhookUrl url;
        try {
            url = WebhookUrl.parse(delivery.callback().url());
        } catch (IllegalArgumentException e) {
            return new Outcome.Refused("the URL " + e.getMessage());
        }
        Optional<WebhookSecret> secret = config.secret(delivery.callback().secret());
        // Settings change, and not in all gateways at once, so both may hold at another attempt.
        if (secret.isEmpty())
            return failed(delivery, "no secret is named '" + delivery.callback().secret() + "'");
        Optional<String> refusal = config.refusal(url);
        return refusal.isPresent() ? failed(delivery, refusal.get()) : send(delivery, url, secret.get());
    }

    private Outcome send(Delivery delivery, WebhookUrl url, WebhookSecret secret) {
        long end = System.nanoTime() + longest.toNanos();
        long timestamp = clock.instant().getEpochSecond();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", "toolfleet-gateway");
        headers.put("webhook-id", delivery.id());
        headers.put("webhook-timestamp", Long.toString(timestamp));
        headers.put("webhook-signature", secret.sign(delivery.id(), timestamp, delivery.body()));
        headers.put("toolfleet-call-id", delivery.call().toString());
        try {
            List<InetAddress> checked = addresses.of(url, longest.dividedBy(2));
            int status = exchange.post(url, checked, headers, delivery.body(),
                    Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            if (status >= OK && status < REDIRECT)
                return new Outcome.Delivered();
            return status == GONE
                    ? new Outcome.Refused("the receiver answered 410")
                    : failed(delivery, "the receiver answered " + status);
        } catch (IOException e) {
            return failed(delivery, e.getClass() == IOException.class
                    ? String.valueOf(e.getMessage())
                    : e.getClass().getSimpleName());
        }
    }

    private static Outcome failed(Delivery delivery, String reason) {
        String clause = ErrorText.limit(reason, MAX_REASON);
        LOG.atDebug().addKeyValue(WebhookLogKeys.CALL, delivery.call())
                .addKeyValue(WebhookLogKeys.RECEIVER, receiver(delivery.callback()))
                .addKeyValue(WebhookLogKeys.REASON, clause)
                .log("webhook attempt failed");
        return new Outcome.Failed(clause);
    }

    /// Host and port; empty for a URL that is none, whose delivery is refused.
    private static String receiver(Callback callback) {
        try {
            return WebhookUrl.parse(callback.url()).receiver();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    @Override
    public void open(int partition, long deliveries) {
        meters.open(partition, deliveries);
    }

    @Override
    public void gaveUp(Delivery delivery, String reason) {
        meters.gaveUp();
        LOG.atWarn().addKeyValue(WebhookLogKeys.CALL, delivery.call())
                .addKeyValue(WebhookLogKeys.RECEIVER, receiver(delivery.callback()))
                .addKeyValue(WebhookLogKeys.REASON, reason)
                .log("webhook given up: the result is a dead letter");
    }

    /// Ends the attempts under way without outcome: the next owners of their partitions make them again.
    @Override
    public void close() {
        threads.shutdownNow();
        timer.shutdownNow();
        addresses.close();
    }
}
