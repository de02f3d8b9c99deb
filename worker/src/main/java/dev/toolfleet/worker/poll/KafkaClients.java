package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.Map;

import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.assignment.HeartbeatLease;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.state.AdminOffsets;
import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.state.StateFollower;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Makes the worker's Kafka clients, with the timeouts that its promises need. `kafka.properties` overrides every
/// property on which the engine does not depend.
public final class KafkaClients {
    private static final int HEARTBEAT_MILLIS = 500;
    private static final int MAX_POLL_RECORDS = 500;
    /// Below half of the smallest region of the G1 collector: larger answers go straight to the old generation, and each
    /// makes the collector look through the whole heap. A record that is larger comes all the same.
    private static final int FETCH_BYTES = 480 * 1024;
    private static final int REQUEST_MILLIS = 5_000;
    private static final int ANSWER_MILLIS = 8_000;
    /// A broker answers one fetch of a consumer after the other, so that a fetch which finds nothing holds up what is to
    /// be read next: by half a second, were it left to the client's default.
    private static final int SCAN_WAIT_MILLIS = 20;
    private static final int FOLLOW_WAIT_MILLIS = 50;
    /// A producer that looked its coordinator up waits for this time before it requests its id, and a transaction before it
    /// goes on behind another one.
    private static final int PRODUCER_BACKOFF_MILLIS = 10;
    private static final int LINGER_MILLIS = 100;

    private final KafkaConfig kafka;
    private final Topics topics;
    private final MemberIdentity self;

    /// Makes none yet.
    public KafkaClients(KafkaConfig kafka, Topics topics, MemberIdentity self) {
        this.kafka = kafka;
        this.topics = topics;
        this.self = self;
    }

    /// The group's member, for the poll loop.
    ///
    /// @param joins told when it joins
    Consumer<byte[], byte[]> groupMember(JoinTrackingAssignor.JoinState joins) {
        return consumer(memberProperties(joins));
    }

    /// The lease of the group's member.
    HeartbeatLease lease() {
        return new HeartbeatLease(self.sessionTimeout(), self.longestRebalance(), System::nanoTime);
    }

    Map<String, Object> memberProperties(JoinTrackingAssignor.JoinState joins) {
        Map<String, Object> properties = reader("poll");
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, GroupMembers.clientId(self.name()));
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, self.group());
        properties.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        // A partition that was full and has room again waits for the fetch that is under way for idle ones.
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FOLLOW_WAIT_MILLIS);
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, JoinTrackingAssignor.class.getName());
        properties.put(JoinTrackingAssignor.JOINS, joins);
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) self.sessionTimeout().toMillis());
        properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, (int) self.longestRebalance().toMillis());
        return properties;
    }

    /// Reads the group's offsets without joining it.
    Consumer<byte[], byte[]> offsetReader() {
        Map<String, Object> properties = reader("offsets");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, self.group());
        return consumer(properties);
    }

    /// Reads state topics, without a group.
    ///
    /// @param admin looks their offsets up
    /// @param timeout of one lookup
    /// @param failed told when the follower cannot go on
    StateFollower stateFollower(Admin admin, Duration timeout, java.util.function.Consumer<Throwable> failed) {
        Map<String, Object> properties = reader("state");
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FOLLOW_WAIT_MILLIS);
        return new StateFollower(consumer(properties), new AdminOffsets(admin, timeout), System::nanoTime, failed);
    }

    /// Reads what agents answer to waiting handlers, without a group.
    public Consumer<byte[], byte[]> replyReader() {
        return consumer(reader("replies"));
    }

    /// Reads what comes for pending calls, without a group.
    Consumer<byte[], byte[]> resumedReader() {
        Map<String, Object> properties = reader("resumed");
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FOLLOW_WAIT_MILLIS);
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        return consumer(properties);
    }

    /// Reads a stretch of a topic once, without a group.
    Consumer<byte[], byte[]> scanReader() {
        Map<String, Object> properties = reader("scan");
        // What is waited for is another worker's transaction, which ends within milliseconds or not at all.
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, SCAN_WAIT_MILLIS);
        return consumer(properties);
    }

    /// Reads from the brokers.
    public Admin admin() {
        Map<String, Object> properties = kafka.clientProperties();
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, self.name() + "-admin");
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        return Admin.create(properties);
    }

    /// The producer of a transactional id.
    Producer<byte[], byte[]> transactional(int number) {
        return new ChainedProducer(
                properties(DeadWorkers.transactionalId(self.group(), self.name(), number),
                        "transactions-" + number),
                topics.name(Topic.AUDIT), "/toolfleet/worker/" + self.name(), true);
    }

    /// The producer of the worker that writes registrations: one transactional id for all workers of the group.
    public Producer<byte[], byte[]> registrar() {
        return new KafkaProducer<>(properties(self.group() + ".registrations", "registrations"),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Map<String, Object> properties(String id, String purpose) {
        Map<String, Object> properties = kafka.clientProperties();
        properties.keySet().removeAll(RecordWriter.PLACING);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, self.name() + "-" + purpose);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
        properties.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        properties.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWER_MILLIS);
        properties.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, PRODUCER_BACKOFF_MILLIS);
        // The flush before the commit sends what a transaction has, so that it goes in as few requests as there are brokers.
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.MAX_WRAPPING_RECORD_BYTES);
        return properties;
    }

    private Map<String, Object> reader(String purpose) {
        Map<String, Object> properties = kafka.clientProperties();
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, self.name() + "-" + purpose);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return properties;
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
