package dev.toolfleet.cli.command;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.config.ConfigException;
import dev.toolfleet.gateway.readmodel.ReadModelStartException;
import dev.toolfleet.http.PortException;
import dev.toolfleet.publishing.apply.ApplyException;
import org.apache.kafka.common.KafkaException;

/// Message for a person when a command throws, and its exit code.
///
/// @param message one line, or several when several things are wrong
record Failures(int exitCode, String message) {
    static Failures of(Throwable thrown) {
        return switch (thrown) {
            case Failure failure -> new Failures(failure.exitCode(), text(failure));
            case ApplyException apply ->
                new Failures(apply.refused() ? Failure.INVALID : Failure.FAILED, text(apply));
            case ConfigException config -> new Failures(Failure.INVALID, text(config));
            case FleetTopicsException topics -> new Failures(Failure.FAILED, text(topics));
            case ToolFleetClientException client -> new Failures(Failure.FAILED, text(client));
            case PortException port -> new Failures(Failure.FAILED, text(port));
            case ReadModelStartException gateway -> new Failures(Failure.FAILED, text(gateway));
            case KafkaException kafka -> new Failures(Failure.FAILED, "Kafka: " + text(kafka));
            case RuntimeException broker when EmbeddedBroker.failed(broker) ->
                new Failures(Failure.FAILED, text(broker));
            default -> new Failures(Failure.FAILED, unexpected(thrown));
        };
    }

    private static String unexpected(Throwable thrown) {
        String message = text(thrown).lines().findFirst().orElse("");
        return thrown.getClass().getSimpleName() + ": " + message + " (--verbose shows more)";
    }

    private static String text(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }
}
