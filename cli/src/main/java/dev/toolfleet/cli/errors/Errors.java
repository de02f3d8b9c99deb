package dev.toolfleet.cli.errors;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;

/// `toolfleet errors`: reads `tool.error` from a time on, counts, and prints what it counted.
public final class Errors {
    /// More at a time than a consumer's default: nothing is done with a record but counting it.
    private static final int RECORDS_A_POLL = 5_000;
    /// Width of a line that no terminal holds.
    private static final int FILE_WIDTH = 160;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Errors of this fleet.
    public Errors(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
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
            terminal.print(text.table(limit, View.of(terminal, fleet.clock().instant(), FILE_WIDTH)));
        if (tally.unreadable() > 0 && !json)
            terminal.note("toolfleet: warning: " + tally.unreadable() + " records of "
                    + fleet.name(Topic.ERROR) + " are no error events, and were not counted");
        return Failure.SUCCESS;
    }

    private void read(ErrorQuery query, ErrorTally tally) {
        fleet.check(Topic.ERROR);
        Map<String, Object> client = new HashMap<>(fleet.kafka());
        client.put("max.poll.records", RECORDS_A_POLL);
        try (ProgressNote progress = fleet.progress(); TopicScan scan = fleet.scan(client, progress)) {
            List<TopicPartition> partitions = scan.partitions(fleet.name(Topic.ERROR));
            // A record is written after its error occurred.
            scan.read(scan.since(partitions, query.since()), record -> tally.add(record.value()));
        }
    }
}
