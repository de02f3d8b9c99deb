package dev.toolfleet.worker.record;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ConcurrentModificationException;
import java.util.List;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.ArrivalDecoder;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// What is published for a call, and how to look at it.
public abstract class OutcomeRecordsFixture {
    /// A value that breaks while it is written.
    record Broken(int value) {
        @Override
        public int value() {
            throw new ConcurrentModificationException("changed meanwhile");
        }
    }

    static final int MAX_BYTES = 200_000;
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final InstantSource CLOCK = () -> NOW;
    static final RecordWriter WRITER = new RecordWriter(new Topics("acme."), "w1", CLOCK);
    static final ResultRecords RESULTS = new ResultRecords(WRITER, CLOCK, MAX_BYTES);

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    public final OutcomeRecords outcomes = new OutcomeRecords(RESULTS, new SideRecords(WRITER, RESULTS, CLOCK),
            new JournalRecords(WRITER), CLOCK,
            "https://help.example/", new WorkerMeters(registry), LoopStage.OFF, open -> {});

    double count(String name) {
        return registry.get(name).counter().count();
    }

    Outcome malformed(String json) {
        return malformed(json, ResultGuard.NONE);
    }

    Outcome malformed(String json, ResultGuard guard) {
        return outcomes.malformed((Arrival.Malformed) ArrivalDecoder.decode(
                new ConsumerRecord<>("acme.tool.call", 3, 42, "i".getBytes(UTF_8), json.getBytes(UTF_8)), 7),
                new GuardStage(guard));
    }

    Outcome of(ToolReply reply) {
        return outcomes.of(run(), reply, new Guarded(reply, null));
    }

    @SuppressWarnings("NullAway") // What a careless extension makes.
    static ToolReply broken() {
        return new ToolReply.Pending(null, null, null, null);
    }

    public static Identified run() {
        ToolCall call = ToolCall.of("c1", "t__x", JsonNodeFactory.instance.objectNode().put("password", "secret"), "i")
                .inStep("coder", "t1", "s1", 1);
        return Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), call, 0, null, 100)),
                NOW.toEpochMilli());
    }

    static ToolResult result(Outcome outcome) {
        return WireCodec.of(ToolResult.class).read(outcome.records().getFirst().value());
    }

    static ToolError error(Outcome outcome) {
        return requireNonNull(result(outcome).error());
    }

    static List<String> topics(Outcome outcome) {
        return outcome.records().stream().map(ProducerRecord::topic).toList();
    }

    static @Nullable String header(ProducerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
