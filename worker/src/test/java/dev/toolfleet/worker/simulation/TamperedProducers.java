package dev.toolfleet.worker.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.worker.commit.DoneOffsets;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Producers that do to the engine's requests what a bug in it would have done.
final class TamperedProducers {
    private TamperedProducers() {}

    private static Map<TopicPartition, OffsetAndMetadata> each(Map<TopicPartition, OffsetAndMetadata> offsets,
            UnaryOperator<OffsetAndMetadata> change) {
        Map<TopicPartition, OffsetAndMetadata> changed = new LinkedHashMap<>();
        offsets.forEach((partition, offset) -> changed.put(partition, change.apply(offset)));
        return changed;
    }

    static final class HighestOffset extends SimProducer {
        HighestOffset(SimCluster cluster, Fibers.Program program, String id) {
            super(cluster, program, id);
        }

        @Override
        public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets,
                ConsumerGroupMetadata member) {
            super.sendOffsetsToTransaction(each(offsets, offset -> {
                DoneOffsets done = DoneOffsets.decode(offset.offset(), offset.metadata());
                return new OffsetAndMetadata(done.frontier() + done.runs().stream().mapToInt(run -> run).sum());
            }), member);
        }
    }

    static final class NoBitmap extends SimProducer {
        NoBitmap(SimCluster cluster, Fibers.Program program, String id) {
            super(cluster, program, id);
        }

        @Override
        public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets,
                ConsumerGroupMetadata member) {
            super.sendOffsetsToTransaction(each(offsets, offset -> new OffsetAndMetadata(offset.offset())), member);
        }
    }

    static final class BareIntent extends SimProducer {
        private boolean intents;
        private boolean others;

        BareIntent(SimCluster cluster, Fibers.Program program, String id) {
            super(cluster, program, id);
        }

        @Override
        public void beginTransaction() {
            super.beginTransaction();
            intents = false;
            others = false;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            boolean journal = record.topic().equals(Topic.JOURNAL.baseName());
            intents |= journal && !new String(record.key(), UTF_8).equals(PartitionFrontier.KEY);
            others |= !journal;
            return super.send(record);
        }

        @Override
        public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets,
                ConsumerGroupMetadata member) {
            if (!intents || others)
                super.sendOffsetsToTransaction(offsets, member);
        }
    }

    static final class StaleMember extends SimProducer {
        private final SimMember member;

        StaleMember(SimCluster cluster, Fibers.Program program, String id, SimMember member) {
            super(cluster, program, id);
            this.member = member;
        }

        @Override
        public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets,
                ConsumerGroupMetadata current) {
            super.sendOffsetsToTransaction(offsets, member.atLastPoll());
        }
    }

    static final class AbortAndRepeat extends SimProducer {
        AbortAndRepeat(SimCluster cluster, Fibers.Program program, String id) {
            super(cluster, program, id);
        }

        @Override
        public void commitTransaction() {
            try {
                super.commitTransaction();
            } catch (TimeoutException e) {
                renew();
                throw new KafkaException("aborted", e);
            }
        }
    }

    static final class NoOwner extends SimProducer {
        NoOwner(SimCluster cluster, Fibers.Program program, String id) {
            super(cluster, program, id);
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            boolean owner = record.key() != null && new String(record.key(), UTF_8).equals(PartitionOwner.KEY);
            return owner ? new CompletableFuture<>() : super.send(record);
        }
    }

    static final class NotTransactional extends SimProducer {
        NotTransactional(SimCluster cluster, Fibers.Program program, String id) {
            super(cluster, program, id);
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            if (!record.topic().equals(Topic.RESULT.baseName()))
                return super.send(record);
            appendOutside(record);
            return new CompletableFuture<>();
        }
    }
}
