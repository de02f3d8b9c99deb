package dev.toolfleet.session.prompt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PromptFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void file() {
        file = folder.resolve("persona.md");
    }

    @Test
    @DisplayName("PRM-07 a URL with a colon is kept whole; comments and blank lines are skipped")
    void headIsRead() throws IOException {
        Files.writeString(file,
                "---\nname: clerk\n# a comment\n\nhome: https://example.com:8080/a\n---\nYou help.\n---\n");
        PromptFile read = PromptFile.read(file);
        assertThat(read.head()).containsOnlyKeys("name", "home").containsEntry("home", "https://example.com:8080/a");
        assertThat(read.body()).isEqualTo("You help.\n---\n");
    }

    @Test
    @DisplayName("PRM-07 a missing key: the error names key, file and caller")
    void missingKeyIsNamed() throws IOException {
        Files.writeString(file, "---\nname: clerk\n---");
        PromptFile read = PromptFile.read(file);
        assertThat(read.body()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> read.required("title", "agent clerk"))
                .withMessage("agent clerk: " + file + " has no 'title' in its head");
    }

    @Test
    @DisplayName("PRM-07 a file without a head: the body is the file")
    void fileWithoutHeadIsBody() throws IOException {
        Files.writeString(file, "--- no head\nYou help.");
        assertThat(PromptFile.read(file).body()).isEqualTo("--- no head\nYou help.");
    }

    @Test
    @DisplayName("PRM-19 a changed file is used and has another version; a broken one keeps the old, with the reason")
    void reloadKeepsTheOldForAFault() throws IOException {
        Files.writeString(file, "one");
        PromptFile first = PromptFile.read(file);
        assertThat(first.reload().file()).isSameAs(first);
        Files.writeString(file, "two");
        PromptFile second = first.reload().file();
        assertThat(second.body()).isEqualTo("two");
        assertThat(second.version()).isNotEqualTo(first.version());
        Files.writeString(file, "---\nbroken\n---\n");
        PromptFile.Reload broken = second.reload();
        assertThat(broken.file()).isSameAs(second);
        assertThat(broken.error()).contains(file.toString(), "'broken'");
    }

    @Test
    void headWithoutEndIsAnError() throws IOException {
        Files.writeString(file, "---\nname: clerk\n");
        assertThatIOException().isThrownBy(() -> PromptFile.read(file)).withMessageContaining("no end");
    }
}
