package dev.toolfleet.bench.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.verdict.SessionFacts;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.session.message.ResultMessages;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/// Reads results and the messages of sessions at the end of a run.
final class SessionFactReader {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<MessageEvent> EVENTS = WireCodec.of(MessageEvent.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final String bootstrapServers;
    private final Topics topics;

    SessionFactReader(String bootstrapServers, Topics topics) {
        this.bootstrapServers = bootstrapServers;
        this.topics = topics;
    }

    /// Waits until every result has a message, or no further message comes for some time.
    SessionFacts settled(Duration noProgress) throws InterruptedException {
        List<SessionFacts.Owed> owed = owed();
        Set<String> ids = new HashSet<>();
        owed.forEach(one -> ids.add(one.id()));
        List<SessionFacts.Message> written = written();
        long giveUp = System.nanoTime() + noProgress.toNanos();
        while (!has(written, ids) && System.nanoTime() < giveUp) {
            Thread.sleep(AGAIN);
            List<SessionFacts.Message> now = written();
            if (now.size() > written.size())
                giveUp = System.nanoTime() + noProgress.toNanos();
            written = now;
        }
        return new SessionFacts(owed, written);
    }

    private static boolean has(List<SessionFacts.Message> written, Set<String> ids) {
        Set<String> there = new HashSet<>();
        written.forEach(one -> there.add(one.id()));
        return there.containsAll(ids);
    }

    /// Results of a session are in one partition, so the order of reading is theirs.
    private List<SessionFacts.Owed> owed() {
        List<SessionFacts.Owed> owed = new ArrayList<>();
        Set<String> pending = new HashSet<>();
        read(Topic.RESULT, record -> {
            ToolResult result = RESULTS.read(record.value());
            if (result.replayed())
                return;
            String identity = identity(record, result);
            boolean second = result.status() != ResultStatus.PENDING && pending.contains(identity);
            if (result.status() == ResultStatus.PENDING)
                pending.add(identity);
            owed.add(new SessionFacts.Owed(session(result.instanceKey(), String.valueOf(result.agentName())),
                    ResultMessages.id(identity, second ? 2 : 1), result.toolCallId()));
        });
        return owed;
    }

    private List<SessionFacts.Message> written() {
        List<SessionFacts.Message> written = new ArrayList<>();
        read(Topic.SESSION_MESSAGE, record -> {
            MessageEvent event = EVENTS.read(record.value());
            SessionMessage message = event.message();
            // The others are messages with calls, which the service made, too.
            if (message != null && message.source().type() != MessageSource.Type.ASSISTANT)
                written.add(new SessionFacts.Message(session(event.instanceKey(), event.agentName()), message.id()));
        });
        return written;
    }

    private static String session(String instanceKey, String agent) {
        return SessionState.key(instanceKey, agent);
    }

    private static String identity(ConsumerRecord<byte[], byte[]> record, ToolResult result) {
        Header named = record.headers().lastHeader(WireHeaders.IDENTITY);
        return named == null
                ? CallIdentity.ofRecord(record.partition(), result.callOffset()).text()
                : new String(named.value(), StandardCharsets.UTF_8);
    }

    private void read(Topic topic, TopicScan.Sink each) {
        List<TopicPartition> partitions = TopicScan.partitions(topics.name(topic), CrashFleet.PARTITIONS);
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", bootstrapServers), PATIENCE,
                TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(partitions), scan.writtenEnds(partitions), each);
        }
    }
}
