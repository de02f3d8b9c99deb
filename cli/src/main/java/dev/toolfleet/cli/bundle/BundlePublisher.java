package dev.toolfleet.cli.bundle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Writes bundles to `tool.resource`: each as one revision, in one Kafka transaction. Of two who apply one bundle at
/// once the later one wins, and the earlier one either was done before or fails; what somebody left half-written is
/// nothing. Other bundles' resources have other keys, and are never touched. Thread-safe.
public final class BundlePublisher {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private final String topic;
    private final Map<String, Object> clientProperties;
    private final InstantSource clock;

    /// @param topic the name of `tool.resource`, which exists
    /// @param clientProperties how to reach Kafka
    public BundlePublisher(String topic, Map<String, Object> clientProperties, InstantSource clock) {
        this.topic = topic;
        this.clientProperties = Map.copyOf(clientProperties);
        this.clock = clock;
    }

    /// Makes the bundle consist of these resources.
    ///
    /// @throws Failure when the bundle takes the name of another bundle's Agent, or the broker does not let it
    public AppliedRevision publish(String bundle, List<RevisionPlan.Declared> resources) {
        var producer = new KafkaProducer<>(config(bundle), new ByteArraySerializer(), new ByteArraySerializer());
        try {
            // Before reading: it ends what an earlier writer left open, and fences it.
            producer.initTransactions();
            ResourceTable before = new ResourceReader(topic, clientProperties).readToEnd();
            AgentClaims.refuseNew(bundle, resources, before.view());
            RevisionPlan plan = RevisionPlan.of(bundle, resources, before);
            AppliedRevision applied = RevisionChanges.of(plan, before);
            if (plan.changes()) {
                write(producer, plan);
                commit(producer, bundle, plan.revision());
            }
            return applied;
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw Failure.failed("someone else applied the bundle " + bundle + " at the same moment; apply it again",
                    e);
        } catch (KafkaException e) {
            throw Failure.failed("the bundle " + bundle + " could not be applied at "
                    + clientProperties.get("bootstrap.servers") + ": " + e.getMessage(), e);
        } finally {
            // Bounded: a close without bound waits for a broker that may never answer.
            producer.close(CLOSE);
        }
    }

    private static void commit(KafkaProducer<byte[], byte[]> producer, String bundle, long revision) {
        try {
            producer.commitTransaction();
        } catch (TimeoutException e) {
            throw Failure.failed("whether revision " + revision + " of the bundle " + bundle
                    + " was applied is not known, because the broker did not answer in time; apply it again, which does "
                    + "nothing if it was", e);
        }
    }

    /// What [#publish] would do now, without writing anything or disturbing anybody.
    ///
    /// @throws Failure when the bundle takes the name of another bundle's Agent, or the broker does not answer
    public RevisionDiff preview(String bundle, List<RevisionPlan.Declared> resources) {
        try {
            ResourceTable before = new ResourceReader(topic, clientProperties).readToEnd();
            AgentClaims.refuseNew(bundle, resources, before.view());
            return RevisionDiff.of(RevisionPlan.of(bundle, resources, before), before);
        } catch (KafkaException e) {
            throw Failure.failed("the bundles at " + clientProperties.get("bootstrap.servers") + " cannot be read: "
                    + e.getMessage(), e);
        }
    }

    /// A sentence for each Agent of the bundle that another bundle has too, and that therefore only one of them has.
    public List<String> sharedAgents(String bundle) {
        try {
            return AgentClaims.both(bundle, new ResourceReader(topic, clientProperties).readToEnd().view());
        } catch (KafkaException | Failure e) {
            return List.of("whether another bundle declares an Agent of " + bundle + " could not be checked: "
                    + e.getMessage());
        }
    }

    private void write(KafkaProducer<byte[], byte[]> producer, RevisionPlan plan) {
        producer.beginTransaction();
        for (RevisionPlan.Entry entry : plan.entries()) {
            byte[] key = entry.key().getBytes(StandardCharsets.UTF_8);
            ResourceRecord value = entry.value();
            Map<String, String> headers = WireHeaders.cloudEvent(EventType.TOOL_RESOURCE,
                    entry.key() + "@" + plan.revision(), "/toolfleet/apply", entry.key(), clock.instant(), null);
            // The commit throws what a send failed with.
            var _ = producer.send(new ProducerRecord<>(topic, 0, key, value == null ? null : CODEC.write(value),
                    KafkaHeaders.of(headers)));
        }
    }

    private Map<String, Object> config(String bundle) {
        Map<String, Object> config = new HashMap<>(clientProperties);
        config.put("transactional.id", topic + ".apply." + bundle);
        config.put("transaction.timeout.ms", millis(TIMEOUT));
        config.put("max.block.ms", millis(TIMEOUT));
        config.put("request.timeout.ms", millis(REQUEST_TIMEOUT));
        config.put("delivery.timeout.ms", millis(TIMEOUT));
        config.put("linger.ms", 0);
        return config;
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
