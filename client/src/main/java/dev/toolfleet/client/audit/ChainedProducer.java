package dev.toolfleet.client.audit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Transactional producer whose records on `tool.audit` carry a hash chain.
///
/// **Contract.** Every producer is a writer of its own, with a new name. Its chain in a partition begins with sequence
/// 1 and has each committed record; an aborted transaction leaves no trace in it. A producer that is closed between two
/// transactions, all of them committed or aborted for certain, writes a last record to each of its partitions, if it
/// was made to.
///
/// **Threads.** One at a time, as for transactions.
///
/// **Why a producer.** Workers, Streams and commands write in transactions and send records again after an abort. Only
/// the producer knows which of them were committed, so the links are made where records are sent.
public final class ChainedProducer extends KafkaProducer<byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(ChainedProducer.class);
    private static final WireCodec<AuditEvent> EVENTS = WireCodec.of(AuditEvent.class);

    private final String auditTopic;
    private final String source;
    private final String writer;
    private final boolean closes;
    private final AuditChain chain;
    private @Nullable ApiException notSealed;
    private State state = State.BETWEEN;

    private enum State {
        BETWEEN, OPEN, UNKNOWN
    }

    /// Makes a writer that starts now.
    ///
    /// @param config of a Kafka producer with a transactional id
    /// @param auditTopic the name of `tool.audit`
    /// @param source the writer as in CloudEvents, such as `/toolfleet/worker/w1`
    /// @param closes true if its close writes last records
    public ChainedProducer(Map<String, Object> config, String auditTopic, String source, boolean closes) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.auditTopic = auditTopic;
        this.source = source;
        this.writer = source + "#" + UUID.randomUUID();
        this.closes = closes;
        this.chain = new AuditChain(writer);
    }

    @Override
    public void beginTransaction() {
        super.beginTransaction();
        notSealed = null;
        chain.aborted();
        state = State.OPEN;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        return record.topic().equals(auditTopic) ? sendSealed(record, callback) : super.send(record, callback);
    }

    private Future<RecordMetadata> sendSealed(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        int partition;
        try {
            partition = partition(record);
        } catch (ApiException e) {
            // Fails like a send of the superclass: by its future, and so that the transaction cannot be committed.
            notSealed = e;
            if (callback != null)
                callback.onCompletion(null, e);
            return CompletableFuture.failedFuture(e);
        }
        return super.send(sealed(partition, record, false), callback);
    }

    /// Chooses the partition before the record is sent, as Java's producers do: a chain belongs to a partition.
    private int partition(ProducerRecord<byte[], byte[]> record) {
        Integer chosen = record.partition();
        if (chosen != null)
            return chosen;
        int count = partitionsFor(auditTopic).size();
        return record.key() == null ? 0 : Utils.toPositive(Utils.murmur2(record.key())) % count;
    }

    /// Returns a copy: a record that is sent again after an abort gets another link.
    private ProducerRecord<byte[], byte[]> sealed(int partition, ProducerRecord<byte[], byte[]> record, boolean end) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        chain.seal(partition, record.key(), record.value(), headers, end);
        return new ProducerRecord<>(record.topic(), partition, record.timestamp(), record.key(), record.value(),
                headers);
    }

    @Override
    public void commitTransaction() {
        ApiException failed = notSealed;
        if (failed != null)
            throw new KafkaException("a record of " + auditTopic + " was not sent: " + failed.getMessage(), failed);
        State before = state;
        state = State.UNKNOWN;
        super.commitTransaction();
        if (before != State.BETWEEN)
            chain.committed();
        state = State.BETWEEN;
    }

    @Override
    public void abortTransaction() {
        state = State.UNKNOWN;
        super.abortTransaction();
        chain.aborted();
        notSealed = null;
        state = State.BETWEEN;
    }

    /// Closes the producer. With last records to write, it may block as long as a transaction first.
    @Override
    public void close(Duration timeout) {
        if (closes && state == State.BETWEEN && !chain.partitions().isEmpty())
            writeEnds();
        super.close(timeout);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The commit throws what a send failed with.
    private void writeEnds() {
        try {
            beginTransaction();
            byte[] key = writer.getBytes(StandardCharsets.UTF_8);
            Instant now = Instant.now();
            byte[] value = EVENTS.write(new AuditEvent(AuditEvent.Kind.OPERATOR, "audit-closed", source, null, writer,
                    null, null, null, null, null, null, false, null, now));
            for (int partition : chain.partitions()) {
                ProducerRecord<byte[], byte[]> end = new ProducerRecord<>(auditTopic, partition, key, value,
                        KafkaHeaders.of(WireHeaders.cloudEvent(EventType.TOOL_AUDIT, writer + "-end-" + partition,
                                source, writer, now, null)));
                super.send(sealed(partition, end, true), null);
            }
            commitTransaction();
        } catch (KafkaException | IllegalStateException e) {
            // The chains stay open, as after a crash.
            LOG.atDebug().setCause(e).log("last audit records not written");
        }
    }
}
