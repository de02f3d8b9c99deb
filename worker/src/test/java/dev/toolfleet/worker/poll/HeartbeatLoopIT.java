package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// What the consumers of both protocols count of their coordinator's answers: their metrics' names are no API.
@EmbeddedKafkaTest
class HeartbeatLoopIT {

    @Test
    void classicConsumerCountsItsCoordinatorsAnswersFromItsFirstMomentOn(KafkaFixture kafka) {
        counts(kafka, "classic");
    }

    @Test
    void consumerOfTheNewerProtocolDoesToo(KafkaFixture kafka) {
        counts(kafka, "consumer");
    }

    private static void counts(KafkaFixture kafka, String protocol) {
        String topic = kafka.create(protocol, 1);
        Map<String, Object> properties = kafka.consumerProperties(kafka.newGroup());
        properties.put("group.protocol", protocol);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<? extends Metric> answers = HeartbeatLoop.answers(consumer);
            assertThat(answers).extracting(metric -> metric.metricName().name()).contains("heartbeat-total");

            consumer.subscribe(List.of(topic));
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                consumer.poll(Duration.ofMillis(50));
                return answers.stream().mapToDouble(HeartbeatLoop::value).sum() > 0;
            });
        }
    }
}
