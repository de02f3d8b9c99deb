package dev.toolfleet.cli.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.publishing.apply.ApplyException;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BundleWatchTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeBundle() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), """
                apiVersion: goondan.ai/v1
                kind: Agent
                metadata: {name: coder}
                spec: {tools: []}
                """);
        write("Do it.");
    }

    @Test
    @DisplayName("SKL-10: several edits of a skill within moments are one reload")
    void editsWithinMomentsAreOneReload() throws IOException {
        BundleWatch watch = new BundleWatch(folder, BundleCheck.check(folder));
        List<BundleReport> reloads = new ArrayList<>();

        for (String edit : List.of("a", "ab", "abc", "abcd", "abcde")) {
            write(edit);
            // While it is still being edited, a look finds it changed again.
            watch.look().ifPresent(reloads::add);
        }
        for (int look = 0; look < 5; look++)
            watch.look().ifPresent(reloads::add);

        assertThat(reloads).singleElement().satisfies(report -> assertThat(report.bundle()
                .find(Kinds.SKILL, "deploy").orElseThrow().spec().path("body").asString()).isEqualTo("abcde"));
    }

    @Test
    @DisplayName("SKL-09: a broken edit of a skill is refused with its line, so the revision before stays")
    void aBrokenEditIsNotApplied() throws IOException {
        BundleWatch watch = new BundleWatch(folder, BundleCheck.check(folder));
        Files.writeString(folder.resolve("skills/deploy/SKILL.md"),
                "---\nname: deploy\ndescription: Deploys.\ntools: [exec]\n---\nDo it.\n");
        watch.look();
        Optional<BundleReport> report = watch.look();

        assertThatExceptionOfType(ApplyException.class)
                .isThrownBy(() -> LocalBundle.calledLikeItsFolder(report.orElseThrow()).declared())
                .withMessageContaining("SKILL.md").withMessageContaining("no full name of a tool");
    }

    private void write(String body) throws IOException {
        Path skill = folder.resolve("skills/deploy/SKILL.md");
        Files.createDirectories(skill.getParent());
        Files.writeString(skill, "---\nname: deploy\ndescription: Deploys.\n---\n" + body + "\n");
    }
}
