package dev.toolfleet.bench.compare;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;

/// Reads all that an engine has committed, after its end.
final class AnswerReader {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private AnswerReader() {}

    /// Looks at every result.
    ///
    /// @param calls how many were written
    /// @param appended is told when each result was
    static AnswerVerdict check(Ground.Place place, int calls, Appended appended) {
        Audit audit = new Audit(calls);
        try (TopicScan results = place.reader(Topic.RESULT)) {
            results.readRest(record -> {
                appended.add(record.timestamp());
                audit.see(RESULTS.read(record.value()));
            });
        }
        return audit.verdict();
    }
}
