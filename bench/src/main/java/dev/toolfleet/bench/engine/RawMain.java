package dev.toolfleet.bench.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.embedded.process.ParentLink;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The plain loop as a process of its own: one thread polls, answers one call after the other, and commits results and
/// offsets of a poll in one transaction. In order by partition, exactly once, and one call at a time.
public final class RawMain {
    private static final Logger LOG = LoggerFactory.getLogger(RawMain.class);
    /// The records of one poll, and so of one transaction, at most.
    public static final int POLLED = 2_000;

    private RawMain() {}

    /// Serves until told to stop.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        PeerSettings settings = PeerSettings.of(arguments);
        Map<String, Object> reading = new HashMap<>(settings.consumer());
        reading.put("max.poll.records", POLLED);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(reading, new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings.producer(),
                        new ByteArraySerializer(), new ByteArraySerializer())) {
            Thread loop = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(consumer, loop), "raw-stop"));
            producer.initTransactions();
            consumer.subscribe(List.of(settings.calls()));
            parent.ready("ready");
            CallAnswer answer = new CallAnswer(settings.results());
            while (true)
                transact(consumer, producer, answer);
        } catch (WakeupException e) {
            LOG.info("stopped");
        } catch (InterruptedException | RuntimeException e) {
            LOG.error("the loop broke", e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void transact(KafkaConsumer<byte[], byte[]> consumer, KafkaProducer<byte[], byte[]> producer,
            CallAnswer answer) throws InterruptedException {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
        if (records.isEmpty())
            return;
        producer.beginTransaction();
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            var _ = producer.send(answer.to(record));
            done.put(new TopicPartition(record.topic(), record.partition()),
                    new OffsetAndMetadata(record.offset() + 1));
        }
        producer.sendOffsetsToTransaction(done, consumer.groupMetadata());
        producer.commitTransaction();
    }

    private static void stop(KafkaConsumer<byte[], byte[]> consumer, Thread loop) {
        consumer.wakeup();
        try {
            loop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
