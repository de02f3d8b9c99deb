package dev.toolfleet.bench.pending;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Agent runtime and build farm of a run in one: makes calls that go pending, lets their work be heard of, completes
/// them, and tallies what comes. Used by one thread.
final class PendingTraffic implements AutoCloseable {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);
    private static final int MOST_OPEN = 5_000;
    private static final int CALLS_PER_INSTANCE = 10;
    private static final Duration NOTHING_NEW = Duration.ofSeconds(90);

    private final SoloFleet fleet;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Completions farm;
    private final TopicScan reader;
    private final Tally tally = new Tally();
    private int sent;

    PendingTraffic(SoloFleet fleet) {
        this.fleet = fleet;
        this.producer = new KafkaProducer<>(Map.of("bootstrap.servers", fleet.bootstrapServers(), "linger.ms", 5),
                new ByteArraySerializer(), new ByteArraySerializer());
        this.farm = Completions.open(ClientConfig.of(fleet.bootstrapServers()).named("bench-farm"));
        this.reader = fleet.reader(Topic.RESULT, Topic.PROGRESS);
    }

    /// Tally so far.
    Tally tally() {
        return tally;
    }

    /// Makes calls up to this number, and waits until all of them are pending.
    void makePending(int calls) {
        while (tally.pending() < calls) {
            int until = Math.min(calls, tally.pending() + MOST_OPEN);
            while (sent < until)
                send(sent++);
            read(tally::pending, until);
        }
    }

    private void send(int number) {
        String instance = "instance-" + number / CALLS_PER_INSTANCE;
        String turn = "turn-" + number;
        ToolCall call = ToolCall.of(Tally.id(number), Kind.ONCE.toolName(), Json.MAPPER.createObjectNode(), instance)
                .inStep(PlannedCall.AGENT, turn, turn + "-step-0", 0);
        var _ = producer.send(new ProducerRecord<>(SoloFleet.topics().name(Topic.CALL),
                instance.getBytes(StandardCharsets.UTF_8), CALLS.write(call)));
    }

    /// Reports progress of the work behind these handles, and waits until that was heard: the fleet knows of them all
    /// then.
    void beHeard(List<String> handles) {
        int heard = tally.heard() + handles.size();
        handles.forEach(handle -> farm.progress(handle, new Progress(50.0, "half done"), PendingTools.TOKEN));
        read(tally::heard, heard);
    }

    /// Completes the work behind these handles; does not wait.
    void complete(List<String> handles) {
        handles.forEach(handle -> farm.completed(handle, Json.MAPPER.createObjectNode().put("made", "all of it"),
                PendingTools.TOKEN));
    }

    /// Waits until this number of calls has a final result.
    void awaitEnded(int calls) {
        read(tally::ended, calls);
    }

    private void read(IntSupplier count, int wanted) {
        long changed = System.nanoTime();
        int before = count.getAsInt();
        while (count.getAsInt() < wanted) {
            take();
            if (count.getAsInt() > before) {
                before = count.getAsInt();
                changed = System.nanoTime();
            } else if (!fleet.workerIsAlive() || System.nanoTime() - changed > NOTHING_NEW.toNanos()) {
                throw new IllegalStateException("nothing came for " + NOTHING_NEW.toSeconds()
                        + " s, or the worker has ended; of " + sent + " calls " + tally.pending() + " were pending, "
                        + tally.heard() + " heard of and " + tally.ended() + " ended");
            }
        }
    }

    /// Reads the remaining records, after the last writer has ended.
    void readToTheEnd() {
        reader.readRest(this::take);
    }

    private void take() {
        reader.poll(Duration.ofMillis(50)).forEach(this::take);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        if (record.topic().equals(SoloFleet.topics().name(Topic.RESULT)))
            tally.add(RESULTS.read(record.value()));
        else
            tally.add(PROGRESS.read(record.value()));
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        farm.close();
        reader.close();
    }
}
