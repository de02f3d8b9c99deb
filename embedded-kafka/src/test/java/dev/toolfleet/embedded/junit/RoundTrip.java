package dev.toolfleet.embedded.junit;

import java.time.Duration;
import java.util.List;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Writes one record and reads it as a group, with a fixture's properties.
final class RoundTrip {

    private RoundTrip() {}

    static String through(KafkaFixture kafka, String topic, String value) throws Exception {
        try (var producer = new KafkaProducer<String, String>(kafka.producerProperties());
                var consumer = new KafkaConsumer<String, String>(kafka.consumerProperties(kafka.newGroup()))) {
            producer.send(new ProducerRecord<>(topic, "key", value)).get();
            consumer.subscribe(List.of(topic));
            long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (System.nanoTime() < giveUp) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    return record.value();
                }
            }
            throw new AssertionError("nothing arrived in 60 s on " + topic);
        }
    }
}
