package dev.toolfleet.oauth.view;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.OAuthOrder;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Writer of sealed orders on `oauth.order`.
///
/// **Threads.** Thread-safe.
public final class OrderWriter implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final WireCodec<OAuthOrder> CODEC = WireCodec.of(OAuthOrder.class);

    private final Secrets secrets;
    private final String topic;
    private final String source;
    private final KafkaProducer<byte[], byte[]> producer;

    /// Connects.
    ///
    /// @param source the writer's name in headers, such as `/toolfleet/gateway`
    /// @param kafka client properties, `bootstrap.servers` among them
    public OrderWriter(Secrets secrets, Topics topics, String source, Map<String, String> kafka) {
        this.secrets = secrets;
        this.topic = topics.name(Topic.OAUTH_ORDER);
        this.source = source;
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis() / 2);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT.toMillis());
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// Writes an order, and returns when the brokers have it.
    ///
    /// @throws KafkaException when they have not taken it within ten seconds
    public void write(String grantId, Order order) throws InterruptedException {
        Map<String, String> headers = WireHeaders.cloudEvent(EventType.OAUTH_ORDER, grantId + "/" + System.nanoTime(),
                source, grantId, Instant.now(), null);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, null,
                grantId.getBytes(StandardCharsets.UTF_8),
                CODEC.write(new OAuthOrder(grantId, secrets.seal(grantId, order))), KafkaHeaders.of(headers));
        try {
            producer.send(record).get(2 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("the order about " + grantId + " could not be written", e);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE);
    }
}
