package dev.toolfleet.catalog.app;

import java.util.Properties;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/// The service's settings as Kafka Streams wants them.
final class StreamsSettings {
    private StreamsSettings() {}

    static Properties of(CatalogConfig config) {
        Properties settings = new Properties();
        // An agent waits for each answer: commit, and look for input, much more often than the defaults do.
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 20);
        settings.put(StreamsConfig.POLL_MS_CONFIG, 10);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        // A crashed service's partitions are taken over as quickly as a worker's.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);
        // Partitions are restored one after the other, each behind the previous one's last, empty fetch.
        settings.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 10);
        settings.putAll(config.kafka());

        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
        settings.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.replication());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, UnsentRecords.class);
        // A dead letter is as large as the step it came from, plus headers.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                Topic.DEAD_LETTER.maxRecordBytes());
        return settings;
    }
}
