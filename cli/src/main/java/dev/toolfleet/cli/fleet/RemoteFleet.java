package dev.toolfleet.cli.fleet;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// Fleet that runs elsewhere, with all that an operator's command needs to read it, to write to it and to print.
///
/// @param terminal of the command
/// @param clock for ages
/// @param notesProgress true for a terminal at which a person waits
public record RemoteFleet(FleetConfig config, Terminal terminal, InstantSource clock, boolean notesProgress) {
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(10);

    /// A fleet for a terminal at which a person waits.
    public RemoteFleet(FleetConfig config, Terminal terminal, InstantSource clock) {
        this(config, terminal, clock, true);
    }

    /// Kafka client properties.
    public Map<String, Object> kafka() {
        return config.kafka().clientProperties();
    }

    /// Names of the fleet's topics.
    public Topics topics() {
        return config.topics().topics();
    }

    /// Name of one topic.
    public String name(Topic topic) {
        return topics().name(topic);
    }

    /// Checks that topics exist.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException that names those that do not
    public void check(Topic... needed) {
        check(Arrays.asList(needed));
    }

    /// Checks that topics exist.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException that names those that do not
    public void check(Collection<Topic> needed) {
        new FleetTopics(topics(), kafka(), FleetTopics.DEFAULT_TIMEOUT).check(EnumSet.copyOf(needed));
    }

    /// Settings of the command's clients.
    public ClientConfig client() {
        return client(config);
    }

    /// Settings of a command's clients.
    public static ClientConfig client(FleetConfig fleet) {
        return ClientConfig.of(fleet.kafka().bootstrapServers()).named("cli").with(fleet.kafka().properties())
                .on(fleet.topics().topics());
    }

    /// Notes for a person who waits.
    public ProgressNote progress() {
        return notesProgress ? new ProgressNote(terminal) : ProgressNote.silent(terminal);
    }

    /// A scan that notes how far it is.
    public TopicScan scan(ProgressNote progress) {
        return scan(kafka(), progress);
    }

    /// A scan with other properties.
    public TopicScan scan(Map<String, Object> properties, ProgressNote progress) {
        return TopicScan.open(properties, BROKER_TIMEOUT, progress::reading);
    }

    /// A scan with other properties, whose progress this gauge receives.
    public TopicScan scan(Map<String, Object> properties, TopicScan.Gauge gauge) {
        return TopicScan.open(properties, BROKER_TIMEOUT, gauge);
    }

    /// A scan that notes nothing.
    public TopicScan scan() {
        return TopicScan.open(kafka(), BROKER_TIMEOUT, TopicScan.Gauge.SILENT);
    }

    /// A reader of handles that notes how far it is.
    public HandleReader handles(ProgressNote progress) {
        return HandleReader.open(client(), progress::reading);
    }

    /// The look of the command's output at this moment.
    public View view() {
        return View.of(terminal, clock.instant());
    }

    /// Waits for what a client was asked.
    ///
    /// @throws Failure when the client could not bring it
    public static <T> T get(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolFleetClientException cause)
                throw Failure.failed(String.valueOf(cause.getMessage()), cause);
            throw new IllegalStateException(e.getCause());
        }
    }
}
