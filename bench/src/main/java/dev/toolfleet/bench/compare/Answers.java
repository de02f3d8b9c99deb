package dev.toolfleet.bench.compare;

import java.time.Duration;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/// Reads all that an engine has committed, after its end.
final class Answers {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private Answers() {}

    /// Looks at every result.
    ///
    /// @param calls how many were written
    /// @param appended is told when each result was
    static Verdict check(Ground.Place place, int calls, Appended appended) {
        Audit audit = new Audit(calls);
        try (KafkaConsumer<byte[], byte[]> results = place.reader(Topic.RESULT)) {
            var ends = results.endOffsets(results.assignment());
            while (ends.entrySet().stream().anyMatch(end -> results.position(end.getKey()) < end.getValue())) {
                for (var record : results.poll(Duration.ofMillis(100))) {
                    appended.add(record.timestamp());
                    audit.see(RESULTS.read(record.value()));
                }
            }
        }
        return audit.verdict();
    }
}
