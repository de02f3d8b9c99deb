package dev.toolfleet.session.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import dev.toolfleet.session.file.FileReading.BadRecord;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Lines;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.session.transcript.Transcript;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TranscriptFileTest {
    private static final List<Entry> ENTRIES = Lines.entries("""
            @id=1 user hello 한국어
            @id=2 calls a b
            @id=3 result a found
            @id=4 result b none
            """);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("log.jsonl");
        TranscriptFile.write(file, ENTRIES);
    }

    @Test
    void entriesComeBackAsTheyWere() throws IOException {
        FileReading reading = TranscriptFile.read(file);
        assertThat(reading.entries()).isEqualTo(ENTRIES);
        assertThat(reading.unchecked()).isZero();
        assertThat(reading.isRecoverable()).isTrue();
    }

    @Test
    @DisplayName("TRX-20 torn last record: all earlier ones are read, one torn is reported")
    void tornTailIsDropped() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        for (int length = whole.length - 2; length > whole.length - 60; length--) {
            Files.write(file, Arrays.copyOf(whole, length));
            FileReading reading = TranscriptFile.read(file);
            assertThat(reading.entries()).isEqualTo(ENTRIES.subList(0, 3));
            assertThat(reading.torn()).isOne();
            assertThat(reading.bad()).isEmpty();
        }
    }

    @Test
    void lastRecordWithoutALineEndIsWhole() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThat(TranscriptFile.read(file).entries()).isEqualTo(ENTRIES);
    }

    @Test
    @DisplayName("TRX-21 bad first record: the rest is preserved, the file is not overwritten")
    void badFirstRecordIsLeftOut() throws IOException {
        String text = "{\"role\":\n" + Files.readString(file);
        Files.writeString(file, text);
        FileReading reading = TranscriptFile.read(file);
        assertThat(reading.entries()).isEqualTo(ENTRIES);
        assertThat(reading.bad()).extracting(BadRecord::line).containsExactly(1);
        assertThat(Files.readString(file)).isEqualTo(text);
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> TranscriptFile.write(file, ENTRIES));
    }

    @Test
    void wrongChecksumInTheMiddleIsQuarantined() throws IOException {
        Files.writeString(file, Files.readString(file).replace("found", "faund"));
        FileReading reading = TranscriptFile.read(file);
        assertThat(reading.entries()).containsExactly(ENTRIES.get(0), ENTRIES.get(1), ENTRIES.get(3));
        assertThat(reading.bad()).containsExactly(new BadRecord(3, "the checksum is wrong"));
    }

    @Test
    void fileWithoutAnyReadableRecordIsNotRecoverable() throws IOException {
        Files.writeString(file, "{\"half");
        assertThat(TranscriptFile.read(file).isRecoverable()).isFalse();
        Files.writeString(file, "");
        assertThat(TranscriptFile.read(file).isRecoverable()).isTrue();
    }

    @Test
    void layoutOfFinClawIsRead() throws IOException {
        Files.writeString(file, """
                {"role":"user","content":"hi","timestamp":1767225600000}
                {"role":"assistant","content":"","timestamp":1767225601000,"toolUseId":"t1","toolName":"quote"}
                {"role":"tool","content":"42","timestamp":1767225602000,"toolUseId":"t1","toolName":"quote"}
                {"role":"oracle","content":"x","timestamp":1}
                """);
        FileReading reading = TranscriptFile.read(file);
        assertThat(Lines.text(reading.entries())).isEqualTo("user hi\ncalls t1\nresult t1 42\n");
        assertThat(reading.unchecked()).isEqualTo(3);
        assertThat(reading.bad()).containsExactly(new BadRecord(4, "the role 'oracle' is unknown"));
        assertThat(Transcript.detect(reading.entries())).isEmpty();
    }

    @Test
    void folderOfGoondanIsFolded() throws IOException {
        Files.writeString(folder.resolve("base.jsonl"), message("m1", "one") + "\n" + message("m2", "two") + "\n");
        Files.writeString(folder.resolve("events.jsonl"), "{\"type\":\"append\",\"message\":" + message("m3", "three")
                + "}\n{\"type\":\"replace\",\"targetId\":\"m1\",\"message\":" + message("m4", "four")
                + "}\n{\"type\":\"remove\",\"targetId\":\"m2\"}\n{\"type\":\"remove\",\"targetId\":\"m9\"}\n");
        FileReading reading = TranscriptFile.read(folder);
        assertThat(reading.entries()).extracting(entry -> entry.content().asString("")).containsExactly("four",
                "three");
        assertThat(reading.entries()).extracting(Entry::role).containsOnly(Role.USER);
        assertThat(reading.bad()).containsExactly(new BadRecord(4, "events.jsonl: E_MESSAGE_TARGET_NOT_FOUND: 'm9'"));
    }

    private static String message(String id, String text) {
        return "{\"id\":\"" + id + "\",\"data\":{\"role\":\"user\",\"content\":\"" + text
                + "\"},\"metadata\":{},\"createdAt\":\"2026-01-01T00:00:00Z\",\"source\":{\"type\":\"user\"}}";
    }
}
