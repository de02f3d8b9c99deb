package dev.toolfleet.springai;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import static java.util.Objects.requireNonNullElse;

/// Settings `toolfleet.*` of a Spring application.
///
/// @param agent the agent whose tools the models see; without it the fleet is not used
/// @param bootstrapServers `host:port` of the fleet's broker
/// @param gateway the address of a gateway, such as `http://127.0.0.1:7072`, in place of the broker
/// @param token the bearer token for the gateway; none without it
/// @param topicPrefix the fleet's prefix of topic names; none without it
/// @param kafka more properties of Kafka clients, as for TLS
/// @param patience the time that a pending call has for its final result before it is answered as pending; one second
///        without it
@ConfigurationProperties("toolfleet")
public record ToolfleetProperties(@Nullable String agent, @Nullable String bootstrapServers, @Nullable URI gateway,
        @Nullable String token, String topicPrefix, Map<String, String> kafka, Duration patience) {
    /// Sets what is left out, and refuses settings that would do nothing.
    public ToolfleetProperties {
        topicPrefix = requireNonNullElse(topicPrefix, "");
        kafka = Map.copyOf(requireNonNullElse(kafka, Map.of()));
        patience = requireNonNullElse(patience, Duration.ofSeconds(1));
        if (token != null && gateway == null)
            throw new IllegalArgumentException("toolfleet.token is set without toolfleet.gateway, to which it belongs:"
                    + " set the address of the gateway, or remove the token");
        if (gateway != null && (bootstrapServers != null || !topicPrefix.isEmpty() || !kafka.isEmpty()))
            throw new IllegalArgumentException("toolfleet.gateway is " + gateway + ", so toolfleet.bootstrap-servers,"
                    + " toolfleet.topic-prefix and toolfleet.kafka.* would not be used: remove them, or the gateway");
    }

    /// Without the token and the values of Kafka's properties.
    @Override
    public String toString() {
        return "ToolfleetProperties[agent=" + agent + ", bootstrapServers=" + bootstrapServers + ", gateway=" + gateway
                + ", token=" + (token == null ? "none" : "set") + ", topicPrefix=" + topicPrefix + ", kafka="
                + kafka.keySet() + ", patience=" + patience + "]";
    }
}
