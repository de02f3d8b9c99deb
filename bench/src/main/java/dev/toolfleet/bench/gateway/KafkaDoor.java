package dev.toolfleet.bench.gateway;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import tools.jackson.databind.JsonNode;

/// The Kafka client of an agent runtime.
final class KafkaDoor implements Door {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ToolFleetClient client;

    KafkaDoor(String bootstrapServers) {
        this.client = ToolFleetClient.open(ClientConfig.of(bootstrapServers).named("bench-client"));
    }

    @Override
    public String name() {
        return GatewayReport.CLIENT;
    }

    @Override
    public boolean call(Load load) throws InterruptedException {
        ToolCall call = ToolCall
                .of(load.id(), Kind.IDEMPOTENT.toolName(), Json.MAPPER.createObjectNode()
                        .put(GatewayTools.NUMBER, load.number()).put(GatewayTools.TEXT, load.text()), load.instance())
                .inStep(PlannedCall.AGENT, load.id(), load.id() + "-step-0", 0);
        try {
            ToolResult result = client.call(call, CallOptions.within(PATIENCE)).result().toCompletableFuture()
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            JsonNode output = result.output();
            return output != null && output.path(GatewayTools.NUMBER).asInt(-1) == load.number();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
