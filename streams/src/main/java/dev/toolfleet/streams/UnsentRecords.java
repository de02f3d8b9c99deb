package dev.toolfleet.streams;

import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles a record that the broker refused: its transaction fails, and the replacing thread processes the input record
/// again. Otherwise: processing goes on, and the agent that waits for the answer never gets it.
///
/// **Why.** Sizes are checked before. So this happens only for a topic that is smaller than the fleet creates it, and
/// the log names the topic.
public final class UnsentRecords implements ProductionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UnsentRecords.class);

    /// Made by Kafka Streams.
    public UnsentRecords() {}

    @Override
    public Response handleError(ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception problem) {
        if (problem instanceof RetriableException)
            return Response.retry();
        LOG.atError().addKeyValue(StreamsLogKeys.TOPIC, record.topic())
                .addKeyValue(StreamsLogKeys.ORIGIN,
                        context.topic() + "/" + context.partition() + "/" + context.offset())
                .addKeyValue(StreamsLogKeys.REASON, problem.toString()).log("record not sent");
        return Response.fail(List.of());
    }

    @Override
    public void configure(Map<String, ?> configs) {}
}
