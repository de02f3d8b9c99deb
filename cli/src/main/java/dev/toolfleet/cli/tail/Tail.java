package dev.toolfleet.cli.tail;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet tail`: prints records as they are written, until it is told to stop.
public final class Tail {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    /// Width of a line that no terminal holds.
    private static final int FILE_WIDTH = 240;

    private final RemoteFleet fleet;
    private final Terminal terminal;
    private final ZoneId zone;

    /// Follows this fleet.
    ///
    /// @param zone of the times that people see
    public Tail(RemoteFleet fleet, ZoneId zone) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
        this.zone = zone;
    }

    /// Prints until the limit is reached, the end is reached without `follow`, a signal comes, or the reader has gone.
    public int run(TailOptions options) {
        Topic topic = options.what().topic();
        fleet.check(topic, Topic.RESOURCE, Topic.CATALOG_CONTENT);
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                TopicScan resources = fleet.scan();
                TopicScan contents = fleet.scan();
                TailReader reader = new TailReader(fleet.kafka(), fleet.name(topic), options.start())) {
            Entries entries = new Entries(new DeclaredTools(resources, fleet.name(Topic.RESOURCE)),
                    new ContentTools(contents, fleet.name(Topic.CATALOG_CONTENT))::tools);
            if (terminal.interactive() && options.follow())
                terminal.note("toolfleet: following " + fleet.name(topic) + " (Ctrl-C ends)");
            follow(options, reader, entries, stop);
        } catch (InterruptException e) {
            // A signal: its sender needs no message. Kafka set the flag again, which has done its work.
            Thread.interrupted();
        }
        return Failure.SUCCESS;
    }

    private void follow(TailOptions options, TailReader reader, Entries entries, StopSignal stop) {
        TailText text = new TailText(new Style(terminal.colour()),
                terminal.interactive() ? terminal.width() : FILE_WIDTH, zone);
        long left = options.limit();
        while (!stop.asked() && !terminal.out().checkError()) {
            boolean last = !options.follow() && reader.isAtEnd();
            for (ConsumerRecord<byte[], byte[]> record : last
                    ? List.<ConsumerRecord<byte[], byte[]>>of()
                    : reader.poll()) {
                if ((!options.follow() && !reader.stoodThere(record)) || isBefore(options.start(), record))
                    continue;
                Optional<Entry> entry = entries.of(options.what(), record).filter(options::means);
                if (entry.isEmpty())
                    continue;
                print(entry.get(), record, options.json(), text);
                if (--left <= 0)
                    return;
            }
            terminal.out().flush();
            if (last)
                return;
        }
    }

    /// Producers' clocks differ, so that older ones may stand behind the first that is young enough.
    private static boolean isBefore(TailOptions.Start start, ConsumerRecord<byte[], byte[]> record) {
        return start instanceof TailOptions.Start.Since(Instant time) && record.timestamp() < time.toEpochMilli();
    }

    private void print(Entry entry, ConsumerRecord<byte[], byte[]> record, boolean json, TailText text) {
        if (json)
            terminal.out().println(ShownJson.line(json(entry, record)));
        else
            text.lines(entry).forEach(terminal.out()::println);
    }

    private static ObjectNode json(Entry entry, ConsumerRecord<byte[], byte[]> record) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("time", entry.at().toString()).put("topic", record.topic()).put("partition", record.partition())
                .put("offset", record.offset());
        json.set("record", entry.json());
        return json;
    }
}
