package dev.toolfleet.publishing.git;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class GitRepositoryTest {
    @TempDir
    private Path folder;
    private GitAddress address = new GitAddress("", "", "");

    @BeforeEach
    void begin() throws Exception {
        address = Repositories.create(folder.resolve("fleet.git"));
    }

    @Test
    void filesOfAFolderAreReadAndReplacedAndAllOthersStay() throws Exception {
        Repositories.push(address, "Files", Map.of("a/x.txt", "1", "a/b/y.txt", "2", "other.txt", "3"));
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            ObjectId head = git.fetch();
            assertThat(git.files(head, "a")).containsOnlyKeys("x.txt", "b/y.txt");

            SortedMap<String, GitFile> next = new TreeMap<>(Map.of("x.txt",
                    new GitFile(Repositories.regular(git, "4").id(), GitFile.Type.EXECUTABLE)));
            assertThat(git.push(git.commit(head, "a", next, "bob", Instant.EPOCH, "Change\n"), head)).isTrue();

            ObjectId now = git.fetch();
            assertThat(git.files(now, "")).containsOnlyKeys("a/x.txt", "other.txt");
            Path copy = Files.createDirectory(folder.resolve("copy"));
            git.copyTo(copy, git.files(now, "a"), Map.of());
            assertThat(copy.resolve("x.txt")).hasContent("4").isExecutable();
        }
    }

    @Test
    void aBranchThatMovedTakesNothing() throws Exception {
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            ObjectId head = git.fetch();
            ObjectId mine = git.commit(head, "", Map.of(), "bob", Instant.EPOCH, "Mine\n");
            ObjectId theirs = ObjectId.fromString(Repositories.push(address, "Theirs", Map.of("t.txt", "t")));

            assertThat(git.push(mine, head)).isFalse();
            assertThat(git.fetch()).isEqualTo(theirs);
        }
    }

    @Test
    void aCommitIsFoundByItsFooter() throws Exception {
        ObjectId wanted = ObjectId
                .fromString(Repositories.push(address, "One\n\nChangeset: cs-1-aa\n", Map.of("a", "1")));
        Repositories.push(address, "Two: Changeset: cs-1-bb", Map.of("a", "2"));
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            ObjectId head = git.fetch();
            assertThat(git.find(head, 10, commit -> commit.getFooterLines("Changeset").contains("cs-1-aa")))
                    .contains(git.find(wanted, 1, commit -> true).orElseThrow());
            assertThat(git.find(head, 10, commit -> commit.getFooterLines("Changeset").contains("cs-1-bb"))).isEmpty();
            assertThat(git.find(head, 1, commit -> commit.getFooterLines("Changeset").contains("cs-1-aa"))).isEmpty();
        }
    }

    @Test
    void aDifferenceIsTextThatAPersonCanRead() throws Exception {
        ObjectId one = ObjectId
                .fromString(Repositories.push(address, "One", Map.of("a.txt", "1\n2\n", "gone.txt", "x\n")));
        ObjectId two = ObjectId.fromString(
                Repositories.push(address, "Two", Map.of("a.txt", "1\n3\n", "gone.txt", "", "b.bin", "\0\0")));
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            git.fetch();
            assertThat(new String(git.diff(git.files(one, ""), git.files(two, ""), Map.of()).text(),
                    StandardCharsets.UTF_8))
                    .contains("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n")
                    .contains("+++ b/b.bin\nno text\n").contains("+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
        }
    }

    @Test
    void aRepositoryThatIsNotThereIsNamed() throws Exception {
        GitAddress missing = GitAddress.parse(folder.resolve("missing.git").toUri().toString());
        try (GitRepository git = GitRepository.open(missing, Optional.empty())) {
            assertThatThrownBy(git::fetch).isInstanceOf(GitException.class).hasMessageContaining("missing.git");
        }
        try (GitRepository git = GitRepository.open(new GitAddress(address.url(), "other", ""), Optional.empty())) {
            assertThatThrownBy(git::fetch).isInstanceOf(GitException.class).hasMessageContaining("other");
        }
    }

    /// With the git command of the machine, where it has one.
    @Test
    void gitItselfReadsWhatIsWritten() throws Exception {
        Repositories.push(address, "One\n\nChangeset: cs-1-aa\n", Map.of("a/x.txt", "1", "b.txt", "2"));
        Path git = Path.of("/usr/bin/git");
        assumeTrue(Files.isExecutable(git), "there is no git");

        assertThat(run("git", "--git-dir", folder.resolve("fleet.git").toString(), "fsck", "--strict"))
                .doesNotContain("error");
        assertThat(run("git", "--git-dir", folder.resolve("fleet.git").toString(), "log", "-1",
                "--format=%an %(trailers)"))
                .isEqualTo("ann Changeset: cs-1-aa\n\n");
        assertThat(
                run("git", "--git-dir", folder.resolve("fleet.git").toString(), "ls-tree", "-r", "--name-only", "main"))
                .isEqualTo("a/x.txt\nb.txt\n");
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
