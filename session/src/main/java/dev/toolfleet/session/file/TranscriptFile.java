package dev.toolfleet.session.file;

import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.file.FileReading.BadRecord;
import dev.toolfleet.session.file.Records.RecordException;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.message.MessageFold;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.wire.MessageCompaction;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.SessionMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Transcript in a file of JSON lines, or in a folder of Goondan.
///
/// **Contract.** A file is never changed: a repaired transcript goes into a new one. An unfinished last record is torn,
/// and all before it are read. A bad record elsewhere is left out and named; the others are read.
///
/// **Threads.** Functions; one thread writes a file at a time ([dev.toolfleet.session.lock.FileSessionLocks]).
///
/// **Why.** A process that is killed in the middle of a write leaves half a line. A reader that gives up there loses a
/// conversation; a reader that writes its repair into the same file loses it for good when it was wrong.
public final class TranscriptFile {
    private static final String BASE = "base.jsonl";
    private static final String EVENTS = "events.jsonl";

    private TranscriptFile() {}

    /// Reads a file, or a folder with `base.jsonl` and `events.jsonl`.
    ///
    /// @throws IOException when it cannot be opened
    public static FileReading read(Path path) throws IOException {
        return Files.isDirectory(path) ? folder(path) : file(path);
    }

    /// Writes a new file in the fleet's own layout, with a checksum for each record, and forces it to the disk.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException when there is one
    public static void write(Path path, List<Entry> entries) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                BufferedWriter writer = new BufferedWriter(Channels.newWriter(channel,
                        StandardCharsets.UTF_8))) {
            for (Entry entry : entries)
                writer.append(Records.write(entry)).append('\n');
            writer.flush();
            channel.force(true);
        }
    }

    private static FileReading file(Path path) throws IOException {
        List<Entry> entries = new ArrayList<>();
        Lines lines = Lines.of(path);
        int unchecked = 0;
        for (Line line : lines.lines) {
            try {
                entries.add(Records.read(line.content()));
                unchecked += Records.hasSum(line.content()) ? 0 : 1;
            } catch (RecordException e) {
                lines.fault(line, String.valueOf(e.getMessage()));
            }
        }
        return new FileReading(entries, lines.bad, lines.torn, unchecked);
    }

    private static FileReading folder(Path folder) throws IOException {
        Folded messages = new Folded();
        Lines base = Lines.of(folder.resolve(BASE));
        for (Line line : base.lines) {
            try {
                messages.add(Records.message(tree(line)));
            } catch (RecordException e) {
                base.fault(line, BASE + ": " + e.getMessage());
            }
        }
        Path file = folder.resolve(EVENTS);
        Lines events = Files.exists(file) ? Lines.of(file) : new Lines();
        for (Line line : events.lines) {
            try {
                messages.apply(event(tree(line)));
            } catch (RecordException e) {
                events.fault(line, EVENTS + ": " + e.getMessage());
            }
        }
        List<BadRecord> bad = new ArrayList<>(base.bad);
        bad.addAll(events.bad);
        List<Entry> entries = messages.entries();
        return new FileReading(entries, bad, base.torn + events.torn, entries.size());
    }

    /// Messages by place. A removed one leaves its place empty.
    private static final class Folded {
        private final List<@Nullable SessionMessage> places = new ArrayList<>();
        private final Map<String, Integer> placeOf = new HashMap<>();

        void add(SessionMessage message) {
            if (placeOf.putIfAbsent(message.id(), places.size()) == null)
                places.add(message);
        }

        void apply(MessageEvent event) throws RecordException {
            switch (MessageFold.decide(null, event, placeOf::containsKey, event.at())) {
                case MessageFold.Added added -> add(added.message());
                case MessageFold.Replaced replaced -> put(replaced.targetId(), replaced.message());
                case MessageFold.Removed removed -> put(removed.targetId(), null);
                case MessageFold.Emptied emptied -> {
                    places.clear();
                    placeOf.clear();
                }
                case MessageFold.Compacted compacted -> {
                    compacted.messages().removed().forEach(id -> put(id, null));
                    compacted.messages().shortened().forEach(message -> put(message.id(), message));
                    if (compacted.targetId() != null)
                        put(compacted.targetId(), compacted.summary());
                }
                case MessageFold.Repeated repeated -> {
                }
                case MessageFold.CompactionRequested requested -> {
                }
                case MessageFold.Leased leased -> {
                }
                case MessageFold.TargetMissing missing ->
                    throw new RecordException(MessageFold.TARGET_NOT_FOUND + ": '" + missing.targetId() + "'");
                case MessageFold.Refused refused -> throw new RecordException(refused.reason());
            }
        }

        List<Entry> entries() {
            List<Entry> entries = new ArrayList<>();
            for (SessionMessage message : places) {
                if (message != null)
                    entries.addAll(MessageData.entries(message));
            }
            return entries;
        }

        private void put(String targetId, @Nullable SessionMessage message) {
            int place = requireNonNull(placeOf.remove(targetId));
            places.set(place, message);
            if (message != null)
                placeOf.put(message.id(), place);
        }
    }

    private static MessageEvent event(JsonNode json) throws RecordException {
        String type = json.path("type").asString("");
        MessageEvent.Type known;
        try {
            known = MessageEvent.Type.valueOf(type.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new RecordException("the type '" + type + "' is unknown");
        }
        SessionMessage message = json.has("message") ? Records.message(json.get("message")) : null;
        String target = json.path("targetId").asStringOpt().orElse(null);
        MessageCompaction compaction = json.has("compaction") ? compaction(json.path("compaction")) : null;
        try {
            return new MessageEvent(known, "file", "file", null, null, null, message, target, null, null, "file",
                    Instant.EPOCH, compaction);
        } catch (IllegalArgumentException e) {
            throw new RecordException(String.valueOf(e.getMessage()));
        }
    }

    private static MessageCompaction compaction(JsonNode json) throws RecordException {
        List<String> removed = json.path("removed").values().stream().map(id -> id.asString("")).toList();
        List<SessionMessage> shortened = new ArrayList<>();
        for (JsonNode message : json.path("shortened"))
            shortened.add(Records.message(message));
        return new MessageCompaction(removed, shortened);
    }

    private static JsonNode tree(Line line) throws RecordException {
        try {
            return Json.STRICT.readTree(line.content());
        } catch (JacksonException e) {
            throw new RecordException("no JSON: " + e.getOriginalMessage());
        }
    }

    /// One line.
    ///
    /// @param number from 1
    /// @param text null when it is no UTF-8
    /// @param last true for a last line without an end
    private record Line(int number, @Nullable String text, boolean last) {
        String content() throws RecordException {
            if (text == null)
                throw new RecordException("no UTF-8");
            return text;
        }
    }

    /// Lines of a file, and their faults.
    private static final class Lines {
        final List<Line> lines = new ArrayList<>();
        final List<BadRecord> bad = new ArrayList<>();
        int torn;

        static Lines of(Path path) throws IOException {
            Lines lines = new Lines();
            try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
                ByteArrayOutputStream line = new ByteArrayOutputStream();
                int number = 1;
                for (int b = in.read(); b >= 0; b = in.read()) {
                    if (b != '\n') {
                        line.write(b);
                        continue;
                    }
                    lines.add(number++, line, false);
                }
                lines.add(number, line, true);
            }
            return lines;
        }

        void fault(Line line, String reason) {
            if (line.last)
                torn++;
            else
                bad.add(new BadRecord(line.number, reason));
        }

        private void add(int number, ByteArrayOutputStream line, boolean last) {
            byte[] bytes = line.toByteArray();
            line.reset();
            String text;
            try {
                text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            } catch (CharacterCodingException e) {
                text = null;
            }
            if (text == null || !text.isBlank())
                lines.add(new Line(number, text == null ? null : text.strip(), last));
        }
    }
}
