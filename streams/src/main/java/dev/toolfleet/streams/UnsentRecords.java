package dev.toolfleet.streams;

import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What happens to a record that the broker would not take: its transaction fails, and the thread that replaces this
/// one tries again what it came from. Going on would leave that without the answer that an agent waits for. Sizes are
/// checked before, so only a topic that is smaller than the fleet creates it gets here, and the log says which.
public final class UnsentRecords implements ProductionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UnsentRecords.class);

    /// For Kafka Streams.
    public UnsentRecords() {}

    @Override
    public Response handleError(ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception problem) {
        if (problem instanceof RetriableException)
            return Response.retry();
        LOG.atError().addKeyValue(LogKeys.TOPIC, record.topic())
                .addKeyValue(LogKeys.ORIGIN, context.topic() + "/" + context.partition() + "/" + context.offset())
                .addKeyValue(LogKeys.REASON, problem.toString()).log("Record could not be sent");
        return Response.fail(List.of());
    }

    @Override
    public void configure(Map<String, ?> configs) {}
}
