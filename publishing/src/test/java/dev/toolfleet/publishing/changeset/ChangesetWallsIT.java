package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.publishing.git.Repositories;
import dev.toolfleet.tool.ToolException;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Agents that try to get further than their changeset, against a broker and a repository on disk.
@EmbeddedKafkaTest
class ChangesetWallsIT extends ChangesetCase {
    ChangesetWallsIT(KafkaFixture kafka) {
        super(kafka);
    }

    /// Links in the folder of a changeset, and in place of it.
    @Test
    void noFileOfTheMachineGetsIntoACommit() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "s3cret");
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            Files.createSymbolicLink(file(open, "tools/a.txt"), secret);
            Files.createSymbolicLink(file(open, "tools/b"), folder);

            Outcome outcome = changesets.commit(author(), open.changesetId(), "", Optional.empty());
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Rejected.class,
                    rejected -> assertThat(rejected.files()).contains("tools/a.txt", "tools/b"));
        }
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            Path moved = folder.resolve("moved");
            Files.move(workdir().resolve(".changesets"), moved);
            Files.createSymbolicLink(workdir().resolve(".changesets"), moved);
            assertThat(changesets.commit(author(), open.changesetId(), "", Optional.empty())).isInstanceOfSatisfying(
                    Outcome.Rejected.class, none -> assertThat(none.code()).isEqualTo("CHANGESET_NOT_FOUND"));
            assertThatThrownBy(() -> changesets.open(author(), "")).isInstanceOf(ToolException.class);
        }
    }

    /// The bundle lies at the top of the repository: a folder of its name would be the bundle from then on.
    @Test
    void noChangesetMovesTheBundle() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            Files.createDirectories(file(open, "tools/" + BUNDLE));
            write(open, "tools/" + BUNDLE + "/a.md", "fine");
            Files.createDirectories(file(open, BUNDLE));
            write(open, BUNDLE + "/a.md", "moves it");

            assertThat(changesets.commit(author(), open.changesetId(), "", Optional.empty())).isInstanceOfSatisfying(
                    Outcome.Rejected.class, rejected -> {
                        assertThat(rejected.files()).containsExactly(BUNDLE + "/a.md");
                        assertThat(rejected.message()).contains("would make another folder the bundle's");
                    });
        }
    }

    /// The folder of all bundles may have the name of the one at its top.
    @Test
    void theTopIsToldFromAFolderOfTheSameName() throws Exception {
        Repositories.push(address, "Below", Map.of("all/" + BUNDLE + "/toolfleet.yaml", DESK));
        GitAddress named = new GitAddress(address.url(), address.branch(), "all/" + BUNDLE);
        try (GitRepository git = GitRepository.open(named, Optional.empty())) {
            BundleCopies.Tree tree = new BundleCopies(git).tree(git.fetch(), BUNDLE);

            assertThat(tree.below()).isEqualTo("all/" + BUNDLE);
            assertThat(tree.isFolderOf(BUNDLE, BUNDLE + "/a.md")).isTrue();
            assertThat(tree.isFolderOf(BUNDLE, "tools/a.md")).isFalse();
        }
        try (GitRepository git = GitRepository.open(new GitAddress(address.url(), address.branch(), "all"),
                Optional.empty())) {
            assertThat(new BundleCopies(git).tree(git.fetch(), BUNDLE).isFolderOf(BUNDLE, BUNDLE + "/a.md")).isFalse();
        }
    }

    @Test
    void whatIsApprovedIsWhatIsCommitted() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "More notes");
            write(open, "notes.yaml", NOTES + READ);
            write(open, "tools/odd.mjs", "// \0\nexport const odd = 1");
            Proposal proposal = changesets.proposal(author(), open.changesetId(), "").orElseThrow();
            assertThat(proposal.operands("changesetId")).hasSize(2).last()
                    .satisfies(odd -> assertThat(odd.text()).as("no person can read it").isNull());
            assertThat(proposal.operands("changesetId").getFirst().text()).startsWith("message: More notes\n");

            write(open, "tools/odd.mjs", "export const odd = 2");
            assertThatThrownBy(
                    () -> changesets.commit(author(), open.changesetId(), "", Optional.of(proposal.digest())))
                    .hasMessageContaining("changed after they were approved");
            assertThat(revision()).isEqualTo(1);

            String now = changesets.proposal(author(), open.changesetId(), "").orElseThrow().digest();
            assertThat(changesets.commit(author(), open.changesetId(), "", Optional.of(now)))
                    .isInstanceOf(Outcome.Done.class);
        }
    }

    @Test
    void aCommitOfAnotherInstanceIsNotTakenForOnesOwn() throws Exception {
        Repositories.push(address, "More\n\nChangeset: cs-1-0123abcd\nBundle: " + BUNDLE + "\nInstance: other\n",
                Map.of("README.md", "2"));
        try (Changesets changesets = changesets()) {
            assertThat(changesets.commit(author(), "cs-1-0123abcd", "", Optional.empty())).isInstanceOfSatisfying(
                    Outcome.Rejected.class, none -> assertThat(none.code()).isEqualTo("CHANGESET_NOT_FOUND"));
        }
    }

    /// Otherwise: one agent stops the changesets of all, by a pipe that has no writer or by lines that are all alike.
    @Test
    void nothingThatAnAgentWritesKeepsOthersWaiting() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            Path root = workdir().resolve(".changesets");
            Files.createDirectory(root.resolve("cs-1-00000000"));
            assertThat(new ProcessBuilder("mkfifo", root.resolve("cs-1-00000000.json").toString(),
                    file(open, "tools/pipe").toString()).start().waitFor()).isZero();
            Files.createDirectory(root.resolve("cs-2-00000000"));
            Files.writeString(root.resolve("cs-2-00000000.json"), "{}");
            write(open, "tools/alike.txt", "a\nb\n".repeat(200_000));

            assertThat(changesets.state(author()).open()).containsExactly(open);
            assertThat(changesets.proposal(author(), open.changesetId(), "")).isPresent();
            assertThat(changesets.commit(author(), open.changesetId(), "", Optional.empty()))
                    .isInstanceOf(Outcome.Done.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\\b", ".git", ".GIT", "git~1", "a\u0007"})
    void namesThatGitOrAPersonReadsAsSomethingElseAreRefused(String name) throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            write(open, "tools/" + name, "x");

            assertThatThrownBy(() -> changesets.commit(author(), open.changesetId(), "", Optional.empty()))
                    .isInstanceOfSatisfying(ToolException.class, e -> {
                        assertThat(e.code()).isEqualTo("E_CHANGESET_WORKDIR");
                        assertThat(e).hasMessageContaining("cannot stand in a bundle");
                    });
        }
    }

    /// The agent swaps a folder for a link and back while the files are read.
    @Test
    void noFileOfTheMachineGetsIntoACommitByARace() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("a.txt"), "s3cret");
        ObjectId secret = GitFile.id("s3cret".getBytes(StandardCharsets.UTF_8));
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            Path inside = Files.createDirectories(file(open, "tools/d"));
            Files.writeString(inside.resolve("a.txt"), "mine");
            Workdirs workdirs = new Workdirs(workdir());
            AtomicBoolean stop = new AtomicBoolean();
            Thread agent = Thread.ofPlatform().start(() -> swap(inside, outside, stop));
            try {
                for (int i = 0; i < 2_000; i++) {
                    try {
                        assertThat(workdirs.read(open.changesetId()).values()).extracting(GitFile::id)
                                .doesNotContain(secret);
                    } catch (IOException e) {
                        // The folder was away, or no folder.
                    }
                }
            } finally {
                stop.set(true);
                agent.join();
            }
        }
    }

    private static void swap(Path inside, Path outside, AtomicBoolean stop) {
        Path away = inside.resolveSibling("away");
        try {
            while (!stop.get()) {
                Files.move(inside, away);
                Files.createSymbolicLink(inside, outside);
                Files.delete(inside);
                Files.move(away, inside);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
