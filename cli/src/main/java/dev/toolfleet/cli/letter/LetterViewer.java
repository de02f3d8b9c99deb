package dev.toolfleet.cli.letter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.client.letter.LetterTopic;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// `toolfleet dlq list` and `show`: what lies on `tool.dead-letter`, and what was done with it.
public final class LetterViewer {
    /// Width of a line that no terminal holds.
    private static final int FILE_WIDTH = 160;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Dead letters of this fleet.
    public LetterViewer(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints letters, the newest first.
    ///
    /// @param all also those that were replayed or discarded
    /// @param limit how many
    /// @param json one object a line
    public int list(LetterFilter filter, boolean all, int limit, boolean json) {
        LetterTopic.Found found;
        try (ProgressNote progress = fleet.progress(); LetterTopic topic = open(fleet, progress)) {
            found = topic.letters(filter, fleet.topics().prefix());
        }
        List<Letter> letters = new ArrayList<>(found.letters().stream()
                .filter(letter -> all || letter.fate().isEmpty())
                .sorted(Comparator.comparing(Letter::at).thenComparing(Letter::address).reversed()).toList());
        List<Letter> shown = letters.subList(0, Math.min(limit, letters.size()));
        if (json) {
            shown.forEach(letter -> terminal.print(ShownJson.line(letter.json())));
        } else if (shown.isEmpty()) {
            terminal.print(all ? "no dead letters" : "no dead letters to see to");
        } else {
            terminal.print(text(fleet).table(shown, all));
            if (letters.size() > limit)
                terminal.print("and " + (letters.size() - limit) + " older (--limit shows more)");
        }
        if (found.forgotten() > 0)
            terminal.note("toolfleet: only the newest " + LetterTopic.MOST + " letters were looked at, and not "
                    + found.forgotten() + " older ones; narrow with --since, --reason or --topic");
        return Failure.SUCCESS;
    }

    /// Prints one letter with headers and value, or keeps its value in a file.
    ///
    /// @param save where to keep the value, byte by byte; empty for nowhere
    /// @throws Failure when there is none
    public int show(LetterAddress address, boolean json, Optional<Path> save) {
        ConsumerRecord<byte[], byte[]> record;
        Map<LetterAddress, Fate> fates;
        try (ProgressNote progress = fleet.progress(); LetterTopic topic = open(fleet, progress)) {
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>(1);
            topic.records(List.of(address), found::add);
            if (found.isEmpty())
                throw Failure.failed(missing(address));
            record = found.getFirst();
            fates = topic.fates(List.of(address));
        }
        Letter letter = Letter.of(record);
        Fate fate = fates.get(address);
        Letter shown = fate == null ? letter : letter.with(fate);
        if (save.isPresent())
            keep(save.get(), record);
        else if (json)
            terminal.print(ShownJson.pretty(LetterJson.of(shown, record)));
        else
            terminal.print(text(fleet).card(shown, record));
        return Failure.SUCCESS;
    }

    private void keep(Path file, ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        try {
            Files.write(file, value, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw Failure.failed("--save " + file + ": it cannot be written, or is there already: " + e, e);
        }
        terminal.print("wrote " + value.length + " bytes to " + file);
    }

    static String missing(LetterAddress address) {
        return "there is no dead letter " + address + ": it is older than the topic keeps, or was never there;"
                + " toolfleet dlq list shows those that are";
    }

    static LetterText text(RemoteFleet fleet) {
        return new LetterText(View.of(fleet.terminal(), fleet.clock().instant(), FILE_WIDTH));
    }

    static LetterTopic open(RemoteFleet fleet, ProgressNote progress) {
        fleet.check(Topic.DEAD_LETTER);
        return new LetterTopic(fleet.kafka(), fleet.name(Topic.DEAD_LETTER), progress::reading);
    }
}
