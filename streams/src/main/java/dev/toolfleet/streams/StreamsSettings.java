package dev.toolfleet.streams;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/// Settings of one topology. The parameters differ per topology; [#properties()] adds the settings that all topologies
/// of the fleet share.
///
/// @param applicationId the consumer group, and the prefix of the internal topics
/// @param stateDir a folder for the stores, made when it is absent; only one process may use it, and its content may be
///        lost
/// @param replication copies of the internal topics; -1 for the broker's default
/// @param kafka client properties, `bootstrap.servers` among them, passed through to every Kafka client and to Kafka
///        Streams
public record StreamsSettings(String applicationId, Path stateDir, int replication, Map<String, String> kafka) {
    /// Keeps a copy of the properties.
    public StreamsSettings {
        kafka = Map.copyOf(kafka);
    }

    /// Returns the properties for Kafka Streams. The setting `kafka` may change how quick the topology is. It never
    /// changes the processing guarantee or the memory of the stores.
    public Properties properties() {
        Properties settings = new Properties();
        // An agent waits for the output. So commits and polls are much more frequent than by default.
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 20);
        settings.put(StreamsConfig.POLL_MS_CONFIG, 10);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        // The pause of a producer between finding its coordinator and requesting its id.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 10);
        // A crashed process's partitions are taken over as quickly as those of calls.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);
        // Kafka Streams restores partitions one after the other; each waits for the last, empty fetch of the one
        // before.
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
