package dev.toolfleet.bench.engine;

import java.util.List;

import dev.toolfleet.embedded.process.ParentLink;
import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelConsumerOptions.CommitMode;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Confluent's parallel-consumer as a process of its own: in order by key, keys side by side, results by its own
/// producer, transactional or not. What is not said here is as that library sets it.
public final class ParallelConsumerMain {
    private ParallelConsumerMain() {}

    /// Serves until told to stop.
    public static void main(String[] arguments) throws InterruptedException {
        ParentLink parent = ParentLink.open();
        PeerSettings settings = PeerSettings.of(arguments);
        ParallelStreamProcessor<byte[], byte[]> processor = ParallelStreamProcessor.createEosStreamProcessor(
                ParallelConsumerOptions.<byte[], byte[]>builder()
                        .consumer(new KafkaConsumer<>(settings.consumer(), new ByteArrayDeserializer(),
                                new ByteArrayDeserializer()))
                        .producer(new KafkaProducer<>(settings.producer(), new ByteArraySerializer(),
                                new ByteArraySerializer()))
                        .ordering(ProcessingOrder.KEY)
                        .commitMode(settings.transactional()
                                ? CommitMode.PERIODIC_TRANSACTIONAL_PRODUCER
                                : CommitMode.PERIODIC_CONSUMER_ASYNCHRONOUS)
                        .maxConcurrency(settings.concurrency()).build());
        Runtime.getRuntime().addShutdownHook(new Thread(processor::closeDontDrainFirst, "cpc-stop"));
        processor.subscribe(List.of(settings.calls()));
        CallAnswer answer = new CallAnswer(settings.results());
        processor.pollAndProduceMany(context -> List.of(answered(answer, context.getSingleConsumerRecord())));
        parent.ready("ready");
        Thread.currentThread().join();
    }

    private static ProducerRecord<byte[], byte[]> answered(CallAnswer answer, ConsumerRecord<byte[], byte[]> record) {
        try {
            return answer.to(record);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a call was answered", e);
        }
    }
}
