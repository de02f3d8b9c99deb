package dev.toolfleet.embedded.junit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// One test's place on a broker: names of its own, so that tests never share topics. The extension closes it after the
/// test and deletes its topics.
///
/// **Threads.** All methods may be called from any thread. They fail with `IllegalStateException` when the broker
/// refuses or does not answer in 60 s.
public final class KafkaFixture implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String bootstrapServers;
    private final String prefix;
    private final AtomicInteger groups = new AtomicInteger();
    private final Object lock = new Object();
    private Optional<Admin> admin = Optional.empty();

    KafkaFixture(String bootstrapServers, String prefix) {
        this.bootstrapServers = bootstrapServers;
        this.prefix = prefix;
    }

    /// Makes a place on brokers that a test has started itself; the test closes it.
    public static KafkaFixture on(String bootstrapServers, String prefix) {
        return new KafkaFixture(bootstrapServers, prefix);
    }

    /// `host:port` of the broker.
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /// Returns the prefix of every topic, group and transactional id of this test, such as `t7-`.
    public String prefix() {
        return prefix;
    }

    /// This test's own name for a topic, a transactional id or an application.
    public String topic(String name) {
        return prefix + name;
    }

    /// Returns a group id that is new.
    public String newGroup() {
        return prefix + "group-" + groups.incrementAndGet();
    }

    /// Creates the topic [#topic] of this name with the broker's defaults and returns its full name.
    public String create(String name, int partitions) {
        return create(name, partitions, Map.of());
    }

    /// Creates the topic [#topic] of this name and returns its full name, once each of its partitions takes
    /// records.
    public String create(String name, int partitions, Map<String, String> configs) {
        String topic = topic(name);
        await(admin().createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(configs))).all());
        awaitServed(topic, partitions);
        return topic;
    }

    /// Settings of a producer: this broker, all acknowledgements, strings. A serializer given to the producer's
    /// constructor wins over the setting. The caller may change the map.
    public Map<String, Object> producerProperties() {
        Map<String, Object> properties = clientProperties();
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        return properties;
    }

    /// Settings of a consumer of this group: this broker, from the beginning, committed transactions only, no automatic
    /// commits, strings. The caller may change the map.
    public Map<String, Object> consumerProperties(String group) {
        Map<String, Object> properties = clientProperties();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        return properties;
    }

    /// A client for the broker's administration, closed with the fixture.
    public Admin admin() {
        synchronized (lock) {
            Admin open = admin.orElseGet(() -> Admin.create(clientProperties()));
            admin = Optional.of(open);
            return open;
        }
    }

    /// Deletes the topics whose names begin with [#prefix]. Called by JUnit.
    @Override
    public void close() {
        try (Admin open = admin()) {
            Set<String> mine = await(open.listTopics().names()).stream().filter(topic -> topic.startsWith(prefix))
                    .collect(Collectors.toSet());
            await(open.deleteTopics(mine).all());
        }
    }

    private Map<String, Object> clientProperties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", bootstrapServers);
        return properties;
    }

    /// Waits until each partition of the topic with this full name takes records.
    ///
    /// **Why.** The broker lists a partition before it leads it. Otherwise: it refuses the first batch of an idempotent
    /// producer and takes the second. Then it never takes the first again, and the records of that batch are lost.
    public void awaitServed(String topic, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, _ -> OffsetSpec.latest()));
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!areKnown(ends)) {
            if (System.nanoTime() - giveUp > 0)
                throw new IllegalStateException("topic " + topic + " is not known after " + PATIENCE);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    /// True if the broker returns the end of each partition. The client itself waits for leaders, but not for a topic
    /// that the broker does not know yet.
    private boolean areKnown(Map<TopicPartition, OffsetSpec> ends) {
        try {
            await(admin().listOffsets(ends).all());
            return true;
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException)
                return false;
            throw e;
        }
    }

    private static <T> T await(KafkaFuture<T> answer) {
        try {
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker refused: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("the broker did not answer within " + PATIENCE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the broker", e);
        }
    }
}
