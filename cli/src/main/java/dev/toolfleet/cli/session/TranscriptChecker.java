package dev.toolfleet.cli.session;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.session.file.FileReading;
import dev.toolfleet.session.file.TranscriptFile;
import dev.toolfleet.session.transcript.CallFacts;
import dev.toolfleet.session.transcript.Corruption;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.RepairReport;
import dev.toolfleet.session.transcript.Repaired;
import dev.toolfleet.session.transcript.Transcript;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Check and repair of a transcript in a file. The file itself is never changed.
public final class TranscriptChecker {
    private final Terminal terminal;
    private final boolean json;

    /// @param json true for one JSON object instead of lines for people
    public TranscriptChecker(Terminal terminal, boolean json) {
        this.terminal = terminal;
        this.json = json;
    }

    /// Prints the findings.
    ///
    /// @return 0 for a clean transcript, else 1
    public int check(Path path) {
        FileReading reading = read(path);
        Repaired repaired = Transcript.repair(reading.entries(), CallFacts.NONE);
        print(path, reading, repaired.report());
        return reading.bad().isEmpty() && reading.torn() == 0 && repaired.report().isClean()
                ? Failure.SUCCESS
                : Failure.FAILED;
    }

    /// Writes the repaired transcript into a new file, and prints the findings.
    public int repair(Path path, Path out) {
        FileReading reading = read(path);
        if (!reading.isRecoverable())
            throw Failure.failed(path + " has no record that can be read; nothing was written");
        Repaired repaired = Transcript.repair(reading.entries(), CallFacts.NONE);
        try {
            TranscriptFile.write(out, repaired.entries());
        } catch (FileAlreadyExistsException e) {
            throw Failure.invalid("--out " + out + " exists; name a new file");
        } catch (IOException e) {
            throw Failure.failed("--out " + out + " cannot be written: " + e, e);
        }
        print(path, reading, repaired.report());
        if (!json)
            terminal.print(out + ": " + repaired.entries().size() + " entries");
        return Failure.SUCCESS;
    }

    private static FileReading read(Path path) {
        try {
            return TranscriptFile.read(path);
        } catch (NoSuchFileException e) {
            throw Failure.invalid(e.getFile() + " does not exist");
        } catch (IOException e) {
            throw Failure.failed(path + " cannot be read: " + e, e);
        }
    }

    private void print(Path path, FileReading reading, RepairReport report) {
        if (json) {
            terminal.print(json(reading, report).toString());
            return;
        }
        terminal.print(path + ": " + reading.entries().size() + " entries, " + reading.bad().size() + " bad records, "
                + reading.torn() + " torn, " + report.corruptions().size() + " findings");
        reading.bad().forEach(bad -> terminal.print("  line " + bad.line() + ": " + bad.reason()));
        for (Corruption corruption : report.corruptions())
            terminal.print("  entry " + (corruption.index() + 1) + ": " + corruption.kind().wireName() + ": "
                    + corruption.description());
        for (Entry entry : report.quarantined())
            terminal.print("  quarantined: " + entry.toolCallId() + " " + shown(entry.content().toString()));
    }

    private static ObjectNode json(FileReading reading, RepairReport report) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("entries", reading.entries().size())
                .put("torn", reading.torn()).put("isRecoverable", reading.isRecoverable()).put("added", report.added())
                .put("moved", report.moved()).put("droppedDuplicate", report.droppedDuplicate())
                .put("droppedCalls", report.droppedCalls()).put("quarantined", report.quarantined().size());
        ArrayNode bad = json.putArray("bad");
        reading.bad().forEach(one -> bad.addObject().put("line", one.line()).put("reason", one.reason()));
        ArrayNode corruptions = json.putArray("corruptions");
        report.corruptions().forEach(one -> corruptions.addObject().put("type", one.kind().wireName())
                .put("index", one.index()).put("description", one.description()));
        return json;
    }

    private static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
