package dev.toolfleet.cli.errors;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;

/// `toolfleet errors`: reads `tool.error` from a time on, counts, and prints what it counted.
public final class Errors {
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(10);
    /// More at a time than a consumer's default: nothing is done with a record but counting it.
    private static final int RECORDS_A_POLL = 5_000;
    /// Of a line that no terminal has to hold.
    private static final int FILE_WIDTH = 160;

    private final FleetConfig fleet;
    private final Terminal terminal;
    private final InstantSource clock;

    /// Errors of this fleet.
    ///
    /// @param clock tells ages
    public Errors(FleetConfig fleet, Terminal terminal, InstantSource clock) {
        this.fleet = fleet;
        this.terminal = terminal;
        this.clock = clock;
    }

    /// Prints the counts.
    ///
    /// @param limit how many groups a table shows
    /// @param json one object, with all groups
    public int run(ErrorQuery query, int limit, boolean json) {
        ErrorTally tally = new ErrorTally(query);
        read(query, tally);
        ErrorTable text = new ErrorTable(query, tally);
        if (json)
            terminal.print(ShownJson.line(text.json()));
        else
            text.table(limit, new Style(terminal.colour()), terminal.interactive() ? terminal.width() : FILE_WIDTH,
                    clock.instant())
                    .forEach(terminal::print);
        if (tally.unreadable() > 0 && !json)
            terminal.note("toolfleet: warning: " + tally.unreadable() + " records of "
                    + fleet.topics().topics().name(Topic.ERROR) + " are no error events, and were not counted");
        return Failure.SUCCESS;
    }

    private void read(ErrorQuery query, ErrorTally tally) {
        Map<String, Object> client = new HashMap<>(fleet.kafka().clientProperties());
        new FleetTopics(fleet.topics().topics(), client, FleetTopics.DEFAULT_TIMEOUT).check(EnumSet.of(Topic.ERROR));
        client.put("max.poll.records", RECORDS_A_POLL);
        try (ProgressNote progress = new ProgressNote(terminal);
                TopicScan scan = TopicScan.open(client, BROKER_TIMEOUT, (topic, read, all) -> progress
                        .doing("reading " + topic + ", " + read + " of " + all + " records"))) {
            List<TopicPartition> partitions = scan.partitions(fleet.topics().topics().name(Topic.ERROR));
            // A record is written after what it tells of occurred.
            scan.read(scan.since(partitions, query.since()), record -> tally.add(record.value()));
        }
    }
}
