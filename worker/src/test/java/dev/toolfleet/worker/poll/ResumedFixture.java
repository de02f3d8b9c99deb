package dev.toolfleet.worker.poll;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A resumed loop over a mock consumer, driven turn by turn, with ends that write down what reaches them.
class ResumedFixture {
    static final String TOPIC = "resumed";

    final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    final List<String> told = new ArrayList<>();
    final List<Runnable> done = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    @Nullable
    RuntimeException broken;
    /// Partitions whose lanes take nothing in.
    final Set<Integer> full = new HashSet<>();
    /// Approvals whose calls an earlier owner began.
    final Set<Long> begun = new HashSet<>();
    final List<String> settled = new ArrayList<>();
    final ResumedLoop loop = new ResumedLoop(TOPIC, consumer, new ResumedListener() {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            List<Long> read = new ArrayList<>();
            offsets.forEach(read::add);
            told.add("tracked " + partition + "@" + epoch + " " + read + " next " + next);
        }

        @Override
        public void end(Position at, ResumedCall call, Runnable release) {
            if (broken != null)
                throw broken;
            told.add("end " + at.partition() + "@" + at.epoch() + "/" + at.offset());
            done.add(release);
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            Position at = granted.position();
            if (full.contains(at.partition()))
                return false;
            told.add("offer " + at.partition() + "@" + at.epoch() + "/" + at.offset());
            done.add(granted.done());
            return true;
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return begun.contains(granted.position().offset());
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            settled.add(partition + "/" + position);
            return position >= 3;
        }
    }, failures::add, Runnable::run, ResumedLoop.MAX_IN_FLIGHT);

    ResumedFixture() {
        consumer.updateBeginningOffsets(Map.of(on(0), 0L, on(1), 0L));
    }

    static TopicPartition on(int partition) {
        return new TopicPartition(TOPIC, partition);
    }

    void turn(int times) throws InterruptedException {
        for (int i = 0; i < times; i++)
            loop.turn();
    }

    void record(int partition, long offset, byte @Nullable [] value) {
        consumer.addRecord(new ConsumerRecord<>(TOPIC, partition, offset, "i".getBytes(UTF_8), value));
    }
}
