package dev.toolfleet.worker.pipeline;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.record.ProgressReports;
import dev.toolfleet.worker.record.RecordWriter;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class ProgressReportsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final ToolCall CALL = ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i")
            .inStep("coder", "turn", "s1", 0);

    private final List<ProducerRecord<byte[], byte[]>> published = new ArrayList<>();
    private final DeadlineLoop timers = new DeadlineLoop();
    private Instant now = NOW;
    private long nanos;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path root;

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void whatAHandlerSaysFollowsItsCallsPartition() {
        HandlerCall handler = handler(
                new ProgressReports(writer(), ResultGuard.NONE, published::add, timers, () -> now, () -> nanos));
        handler.progress(40.0, "40 of 100 tests");
        now = NOW.plusSeconds(2);
        nanos = Duration.ofSeconds(2).toNanos();
        handler.progress(null, "links");

        assertThat(published).hasSize(2).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("acme.tool.progress");
            assertThat(record.partition()).isEqualTo(3);
            assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("i");
            assertThat(header(record, "ce_type")).isEqualTo("dev.toolfleet.tool.progress.v1");
            assertThat(header(record, "traceparent")).isEqualTo(TRACE);
            assertThat(header(record, "toolfleet-call-offset")).isEqualTo("42");
        });
        assertThat(header(published.get(0), "ce_id")).isNotEqualTo(header(published.get(1), "ce_id"));
        assertThat(WireCodec.of(ToolProgress.class).read(published.getFirst().value())).isEqualTo(new ToolProgress(
                "c1", "t__run", null, "i", "coder", "turn", "s1", new Progress(40.0, "40 of 100 tests"), NOW));
    }

    @Test
    void noHandlerFailsBecauseItsProgressCannotBeTold() {
        ProgressReports broken = new ProgressReports(writer(), ResultGuard.NONE, record -> {
            throw new IllegalStateException("out of order");
        }, timers, () -> now, () -> nanos);

        handler(broken).progress(1.0, null);

        assertThat(published).isEmpty();
    }

    private HandlerCall handler(ProgressReports reports) {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            return new HandlerCalls(new Workspace(requireNonNull(root), () -> now),
                    new Ownership(member.groupMetadata()), () -> now, Duration.ofSeconds(30), reports).of(run(), CALL,
                            new HandlerCall.Limit(now.plusSeconds(30), "the test's limit"));
        }
    }

    private RecordWriter writer() {
        return new RecordWriter(new Topics("acme."), "w1", () -> now);
    }

    private static Identified run() {
        return Identified.of(
                IdentifiedCall.of(new Arrival.Call(new Position(3, 1, 42), CALL, 0, new TraceContext(TRACE, null), 0)),
                0);
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
