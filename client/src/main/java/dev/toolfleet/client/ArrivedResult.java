package dev.toolfleet.client;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import tools.jackson.databind.node.JsonNodeFactory;

/// A result with its place on `tool.result` and the identity of its call.
record ArrivedResult(int partition, long offset, CallIdentity identity, ToolResult result) {

    static ArrivedResult of(ConsumerRecord<byte[], byte[]> record, ToolResult result) {
        return new ArrivedResult(record.partition(), record.offset(),
                identity(record.headers(), record.partition(), result), result);
    }

    private static CallIdentity identity(Headers headers, int partition, ToolResult result) {
        String header = KafkaHeaders.text(headers, WireHeaders.IDENTITY);
        if (header != null)
            return new CallIdentity(header);
        ToolCall call = new ToolCall(result.toolCallId(), result.toolName(), JsonNodeFactory.instance.objectNode(),
                result.instanceKey(), result.agentName(), result.turnId(), result.stepId(), null, null, null, null,
                null, null, null, null);
        return CallIdentity.of(call, partition, result.callOffset());
    }
}
