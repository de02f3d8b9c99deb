package dev.toolfleet.gateway.topology;

import java.time.Instant;
import java.util.Map;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.streams.processor.api.Record;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Dead letter of a result that could not be delivered: the result's own bytes, with the reason `webhook: …` and the
/// callback in its headers.
final class CallbackLetter {
    private final Topics topics;
    private final String writer;

    /// @param writer the name of the application
    CallbackLetter(Topics topics, String writer) {
        this.topics = topics;
        this.writer = writer;
    }

    Record<byte[], byte[]> of(OpenDelivery open, int partition, byte[] body, String reason, long now) {
        ResultHead head = ResultHead.read(body);
        String instance = head == null ? "" : head.instanceKey();
        Map<String, String> headers = WireHeaders.cloudEvent(EventType.TOOL_RESULT, open.id(),
                "/toolfleet/gateway/" + writer, instance, Instant.ofEpochMilli(now), null);
        headers.put(WireHeaders.CALLBACK, open.callback());
        headers.put(WireHeaders.REASON, ErrorText.limit("webhook: " + reason, ErrorText.DEFAULT_LIMIT));
        headers.put(WireHeaders.ORIGIN, topics.name(Topic.RESULT) + "/" + partition + "/" + open.resultOffset());
        headers.put(WireHeaders.WORKER, writer);
        headers.put(WireHeaders.ATTEMPT, Integer.toString(open.failed()));
        return new Record<>(instance.getBytes(UTF_8), body, now, KafkaHeaders.of(headers));
    }
}
