package dev.toolfleet.streams;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/// The settings of one topology: what differs, and in [#properties()] what is the same for all of the fleet's.
///
/// @param applicationId the consumer group, and what the internal topics begin with
/// @param stateDir a folder for the stores, made when it is absent; one process alone uses it, and it may be lost
/// @param replication copies of the internal topics; -1 for the broker's default
/// @param kafka client properties, `bootstrap.servers` among them, passed through to every Kafka client and to Kafka
/// Streams
public record StreamsSettings(String applicationId, Path stateDir, int replication, Map<String, String> kafka) {
    /// Keeps a copy of the properties.
    public StreamsSettings {
        kafka = Map.copyOf(kafka);
    }

    /// The settings as Kafka Streams wants them. `kafka` may change how quick the topology is, never that it is exact or
    /// how much memory its stores take.
    public Properties properties() {
        Properties settings = new Properties();
        // An agent waits for what comes out: commit, and look for input, much more often than the defaults do.
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 20);
        settings.put(StreamsConfig.POLL_MS_CONFIG, 10);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        // A producer that looked its coordinator up waits for so long before it asks for its id.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 10);
        // A crashed process's partitions are taken over as quickly as those of calls.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);
        // Partitions are restored one after the other, each behind the previous one's last, empty fetch.
        settings.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 10);
        settings.putAll(kafka);

        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replication);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, UnsentRecords.class);
        settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedStoreMemory.class);
        // A dead letter is as large as the record it came from, plus headers.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                Topic.DEAD_LETTER.maxRecordBytes());
        return settings;
    }
}
