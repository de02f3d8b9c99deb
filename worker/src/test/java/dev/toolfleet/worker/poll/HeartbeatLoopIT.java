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

/// The metrics in which a consumer counts its coordinator's answers: their names are no API.
@EmbeddedKafkaTest
class HeartbeatLoopIT {

    @Test
    void aMemberCountsItsCoordinatorsAnswersFromItsFirstMomentOn(KafkaFixture kafka) {
        String topic = kafka.create("calls", 1);
        Map<String, Object> properties = kafka.consumerProperties(kafka.newGroup());
        properties.put("group.protocol", "classic");
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
