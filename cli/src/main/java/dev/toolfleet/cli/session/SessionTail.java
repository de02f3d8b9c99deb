package dev.toolfleet.cli.session;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.MessageCompaction;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionReport;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet session tail`: prints what is written to sessions, and the service's reports of them. For one thread.
public final class SessionTail implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    private static final int FILE_WIDTH = 240;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final WireCodec<MessageEvent> EVENTS = WireCodec.of(MessageEvent.class);
    private static final WireCodec<SessionReport> REPORTS = WireCodec.of(SessionReport.class);

    private final RemoteFleet fleet;
    private final Terminal terminal;
    private final TopicScan scan;

    /// Which sessions.
    ///
    /// @param instance null for all
    /// @param agent null for all
    public record Filter(@Nullable String instance, @Nullable String agent) {
        boolean means(String ofInstance, String ofAgent) {
            return (instance == null || instance.equals(ofInstance)) && (agent == null || agent.equals(ofAgent));
        }
    }

    /// Stands at the end of both topics: nothing that is written later is missed.
    public SessionTail(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
        fleet.check(Topic.SESSION_MESSAGE, Topic.SESSION_REPORT);
        scan = TopicScan.follower(fleet.kafka(), TIMEOUT);
        try {
            Map<TopicPartition, Long> ends = new HashMap<>();
            for (Topic topic : List.of(Topic.SESSION_MESSAGE, Topic.SESSION_REPORT))
                ends.putAll(scan.ends(scan.partitions(fleet.name(topic))));
            scan.follow(ends);
        } catch (RuntimeException e) {
            scan.close();
            throw e;
        }
    }

    /// Prints until the limit is reached, a signal comes, or the reader has gone.
    ///
    /// @param zone of the times that people see
    public int follow(Filter filter, ZoneId zone, long limit, boolean json) {
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE)) {
            if (terminal.interactive())
                terminal.note("toolfleet: following " + fleet.name(Topic.SESSION_MESSAGE) + " (Ctrl-C ends)");
            long left = limit;
            while (!stop.asked() && !terminal.out().checkError()) {
                for (ConsumerRecord<byte[], byte[]> record : scan.poll(POLL)) {
                    List<String> lines = json ? json(record, filter) : text(record, filter, zone);
                    if (lines.isEmpty())
                        continue;
                    lines.forEach(terminal.out()::println);
                    if (--left <= 0)
                        return Failure.SUCCESS;
                }
                terminal.out().flush();
            }
        } catch (InterruptException e) {
            // A signal; Kafka set the flag again, which has done its work.
            Thread.interrupted();
        }
        return Failure.SUCCESS;
    }

    /// Waits for the service's next report of a kind about a session; empty when none comes in time.
    public Optional<SessionReport> await(String kind, Filter filter, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < end) {
            for (ConsumerRecord<byte[], byte[]> record : scan.poll(POLL)) {
                Optional<SessionReport> report = report(record, filter).filter(one -> one.kind().equals(kind));
                if (report.isPresent())
                    return report;
            }
        }
        return Optional.empty();
    }

    private List<String> json(ConsumerRecord<byte[], byte[]> record, Filter filter) {
        if (event(record, filter).isEmpty() && report(record, filter).isEmpty())
            return List.of();
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("time", Instant.ofEpochMilli(record.timestamp()).toString()).put("topic", record.topic())
                .put("partition", record.partition()).put("offset", record.offset())
                .set("record", Json.MAPPER.readTree(record.value()));
        return List.of(ShownJson.line(json));
    }

    private List<String> text(ConsumerRecord<byte[], byte[]> record, Filter filter, ZoneId zone) {
        int width = terminal.interactive() ? terminal.width() : FILE_WIDTH;
        String time = CLOCK.format(Instant.ofEpochMilli(record.timestamp()).atZone(zone));
        List<String> lines = new ArrayList<>();
        event(record, filter).ifPresent(event -> {
            lines.add(time + " " + event.instanceKey() + "/" + event.agentName() + " "
                    + event.type().name().toLowerCase(Locale.ROOT) + what(event) + " by " + event.by());
            SessionMessage message = event.message();
            if (message != null)
                MessageLines.of(message.data(), width).forEach(line -> lines.add("  " + line));
        });
        report(record, filter).ifPresent(report -> {
            lines.add(time + " " + report.instanceKey() + "/" + report.agentName() + " report " + report.kind());
            lines.add("  " + MessageLines.line("", report.message(), width).strip());
        });
        return lines;
    }

    private static String what(MessageEvent event) {
        MessageCompaction compaction = event.compaction();
        if (compaction != null)
            return " (" + compaction.removed().size() + " removed, " + compaction.shortened().size() + " shortened)";
        return event.targetId() == null ? "" : " " + event.targetId();
    }

    private Optional<MessageEvent> event(ConsumerRecord<byte[], byte[]> record, Filter filter) {
        if (!record.topic().equals(fleet.name(Topic.SESSION_MESSAGE)) || record.value() == null)
            return Optional.empty();
        try {
            return Optional.of(EVENTS.read(record.value()))
                    .filter(event -> filter.means(event.instanceKey(), event.agentName()));
        } catch (WireFormatException e) {
            // The session service has made a dead letter of it.
            return Optional.empty();
        }
    }

    private Optional<SessionReport> report(ConsumerRecord<byte[], byte[]> record, Filter filter) {
        if (!record.topic().equals(fleet.name(Topic.SESSION_REPORT)) || record.value() == null)
            return Optional.empty();
        try {
            return Optional.of(REPORTS.read(record.value()))
                    .filter(report -> filter.means(report.instanceKey(), report.agentName()));
        } catch (WireFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        scan.close();
    }
}
