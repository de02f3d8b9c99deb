package dev.toolfleet.publishing.changeset;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Digests;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.publishing.git.Repositories;
import dev.toolfleet.resources.BundleKeys;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.wire.AgentEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Commits against a broker and a repository on disk.
@EmbeddedKafkaTest
class ChangesetsIT extends ChangesetCase {
    ChangesetsIT(KafkaFixture kafka) {
        super(kafka);
    }

    @Test
    void aCommitIsACommitOfTheBranchTheNextRevisionAndAnEvent() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "More notes");
            write(open, "notes.yaml", NOTES + READ);
            write(open, "tools/more.mjs", "export const more = 1");
            Files.delete(file(open, "tools/notes.mjs"));
            write(open, "tools/notes.mjs", "export const handlers = {read() {}}");

            assertThat(changesets.proposal(author(), open.changesetId(), "").orElseThrow().operands("id").getFirst()
                    .text())
                    .contains("+" + READ, "+++ b/tools/more.mjs");
            assertThat(revision()).isEqualTo(1);
            Outcome.Done done = (Outcome.Done) changesets.commit(author(), open.changesetId(), "Read notes",
                    Optional.empty());

            assertThat(done.revision()).isEqualTo(2);
            assertThat(done.changes().added()).containsOnlyKeys("tools/more.mjs");
            assertThat(done.changes().changed()).containsOnlyKeys("notes.yaml", "tools/notes.mjs");
            assertThat(exports()).containsExactly("write", "read");
            assertThat(changesets.state(author())).isEqualTo(new Changesets.State(done.newRef(), true, List.of()));
            assertThat(file(open, "notes.yaml")).doesNotExist();
            assertThat(events()).singleElement().satisfies(event -> {
                assertThat(event.name()).isEqualTo("swarmBundle.revisionChanged");
                assertThat(event.to().instanceKey()).isEqualTo("conversation-1");
                assertThat(event.payload()).hasToString("{\"type\":\"swarmBundle.revisionChanged\",\"previousRef\":\""
                        + done.baseRef() + "\",\"newRef\":\"" + done.newRef() + "\",\"changesetId\":\""
                        + open.changesetId() + "\",\"summary\":{\"filesChanged\":[\"notes.yaml\",\"tools/notes.mjs\"],"
                        + "\"filesAdded\":[\"tools/more.mjs\"],\"filesDeleted\":[]},\"timestamp\":\""
                        + event.createdAt() + "\"}");
            });
        }
    }

    @Test
    void whatAnAgentMayNotChangeIsRejectedAndNothingChanges() throws Exception {
        try (Changesets changesets = changesets()) {
            for (String file : List.of("toolfleet.yaml", "README.md", "more.yaml")) {
                OpenChangeset open = changesets.open(author(), "");
                write(open, file, DESK.replace("deny", "allow"));

                Outcome.Rejected rejected = (Outcome.Rejected) changesets.commit(author(), open.changesetId(), "",
                        Optional.empty());

                assertThat(rejected.code()).isEqualTo("POLICY_VIOLATION");
                assertThat(rejected.files()).contains(file);
                assertThat(file(open, "notes.yaml")).doesNotExist();
            }
            OpenChangeset open = changesets.open(author(), "");
            write(open, "notes.yaml", NOTES + "    - {name: shell, description: Runs it}\n");
            assertThat(((Outcome.Rejected) changesets.commit(author(), open.changesetId(), "", Optional.empty()))
                    .message())
                    .contains("notes.yaml", "policy denies its export shell");
            assertThat(revision()).isEqualTo(1);
            assertThat(events()).isEmpty();
        }
    }

    @Test
    void aBundleThatWouldNotBeValidChangesNothingAndCanBeMended() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");
            write(open, "notes.yaml", NOTES + "    - {name: write, description: Twice}\n");

            Outcome.Rejected rejected = (Outcome.Rejected) changesets.commit(author(), open.changesetId(), "",
                    Optional.empty());
            assertThat(rejected.code()).startsWith("E_CONFIG_");
            assertThat(rejected.problems()).isNotEmpty().allMatch(problem -> problem.file().equals("notes.yaml"));
            assertThat(revision()).isEqualTo(1);
            assertThat(changesets.judge(author(), open.changesetId()).orElseThrow().outcome()).contains(rejected);

            write(open, "notes.yaml", NOTES + READ);
            assertThat(changesets.judge(author(), open.changesetId()).orElseThrow().outcome()).isEmpty();
            assertThat(changesets.commit(author(), open.changesetId(), "", Optional.empty()))
                    .isInstanceOf(Outcome.Done.class);
            assertThat(exports()).containsExactly("write", "read");
        }
    }

    @Test
    void theSecondOfTwoWhoChangeOneFileHasAConflictAndItsFilesStay() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset first = changesets.open(author(), "");
            OpenChangeset second = changesets.open(author(), "");
            OpenChangeset third = changesets.open(author(), "");
            write(first, "notes.yaml", NOTES + READ);
            write(second, "notes.yaml", NOTES.replace("Writes", "Keeps"));
            write(third, "tools/third.mjs", "1");

            assertThat(changesets.commit(author(), first.changesetId(), "", Optional.empty()))
                    .isInstanceOf(Outcome.Done.class);
            assertThat(changesets.commit(author(), second.changesetId(), "", Optional.empty())).isEqualTo(
                    new Outcome.Conflict(second.baseRef(), List.of("notes.yaml")));
            assertThat(file(second, "notes.yaml")).exists();
            assertThat(changesets.commit(author(), third.changesetId(), "", Optional.empty()))
                    .isInstanceOf(Outcome.Done.class);
            assertThat(exports()).containsExactly("write", "read");
        }
    }

    @Test
    void withoutAChangeThereIsNoCommitAndNoRevision() throws Exception {
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(author(), "");

            Outcome.Done done = (Outcome.Done) changesets.commit(author(), open.changesetId(), "", Optional.empty());

            assertThat(done.newRef()).isEqualTo(done.baseRef()).isEqualTo(changesets.state(author()).activeRef());
            assertThat(done.revision()).isZero();
            assertThat(revision()).isEqualTo(1);
            assertThat(changesets.commit(author(), open.changesetId(), "", Optional.empty())).isInstanceOfSatisfying(
                    Outcome.Rejected.class, again -> assertThat(again.code()).isEqualTo("CHANGESET_NOT_FOUND"));
        }
    }

    /// A worker has died between the two: the commit is on the branch, and the call runs again on a worker that has
    /// other files.
    @Test
    void theHeirAppliesWhatWasCommittedOnce() throws Exception {
        String made = Repositories.push(address, "More\n\nChangeset: cs-1-0123abcd\nBundle: " + BUNDLE + "\nInstance: "
                + Digests.sha256("conversation-1").substring(7, 23) + "\n",
                Map.of("notes.yaml", NOTES + READ));
        try (Changesets changesets = changesets()) {
            assertThat(changesets.state(author()).applied()).isFalse();

            Outcome.Done done = (Outcome.Done) changesets.commit(author(), "cs-1-0123abcd", "", Optional.empty());
            assertThat(done.newRef()).isEqualTo("git:" + made);
            assertThat(done.revision()).isEqualTo(2);
            assertThat(done.changes().changed()).containsOnlyKeys("notes.yaml");

            Outcome.Done again = (Outcome.Done) changesets.commit(author(), "cs-1-0123abcd", "", Optional.empty());
            assertThat(again.revision()).isEqualTo(2);
            assertThat(events()).extracting(AgentEvent::id).containsOnly("revision-cs-1-0123abcd");
        }
    }

    @Test
    void workersThatCommitAtOnceLoseNothing() throws Exception {
        int workers = 4;
        List<CompletableFuture<Outcome>> commits = new ArrayList<>();
        List<Changesets> all = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) {
                Changesets changesets = changesets();
                all.add(changesets);
                OpenChangeset open = changesets.open(author(), "");
                write(open, "tools/t" + i + ".mjs", "export const t = " + i);
                commits.add(CompletableFuture.supplyAsync(() -> committed(changesets, open.changesetId())));
            }
            for (CompletableFuture<Outcome> commit : commits)
                assertThat(commit.get(2, TimeUnit.MINUTES)).isInstanceOf(Outcome.Done.class);
            assertThat(all.getFirst().state(author()).applied()).isTrue();
            assertThat(new ResourceReader(topic, client).readToEnd().view().bundle(BUNDLE).orElseThrow()
                    .find("Tool", "notes").orElseThrow().files()).containsKeys("tools/t0.mjs", "tools/t1.mjs",
                            "tools/t2.mjs", "tools/t3.mjs");
        } finally {
            all.forEach(Changesets::close);
        }
    }

    /// The tries of one worker end; its call is made again, as the fleet does.
    private Outcome committed(Changesets changesets, String id) {
        try {
            for (;;) {
                try {
                    return changesets.commit(author(), id, "", Optional.empty());
                } catch (ToolException e) {
                    if (!e.code().equals("E_CHANGESET_NOT_APPLIED") && !e.code().equals("E_CHANGESET_GIT"))
                        throw e;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatWasAppliedByHandIsNotOverwritten() throws Exception {
        Author before = author();
        publisher.publish(BUNDLE, List.of());
        try (Changesets changesets = changesets()) {
            OpenChangeset open = changesets.open(before, "");
            write(open, "notes.yaml", NOTES + READ);

            assertThatThrownBy(() -> changesets.commit(before, open.changesetId(), "", Optional.empty()))
                    .isInstanceOfSatisfying(ToolException.class,
                            e -> assertThat(e.code()).isEqualTo("E_CHANGESET_DRIFT"));
            assertThat(changesets.state(before).activeRef()).isEqualTo(open.baseRef());
        }
    }

    @Test
    void aFleetThatTakesSignedBundlesOnlyNeedsAKey() throws Exception {
        try (Changesets unsigned = changesets(true, null)) {
            OpenChangeset open = unsigned.open(author(), "");
            write(open, "notes.yaml", NOTES + READ);
            assertThatThrownBy(() -> unsigned.commit(author(), open.changesetId(), "", Optional.empty()))
                    .hasMessageContaining("no key to sign with");
            try (Changesets signed = changesets(true, new BundleSigner(BundleKeys.generate().getPrivate()))) {
                assertThat(signed.commit(author(), open.changesetId(), "", Optional.empty()))
                        .isInstanceOf(Outcome.Done.class);
            }
        }
    }

    @Test
    void aCallThatOpensTwiceOpensOneAndTheyAreBounded() throws Exception {
        try (Changesets changesets = changesets()) {
            Author one = author();
            assertThat(changesets.open(one, "")).isEqualTo(changesets.open(one, ""));
            for (int i = 1; i < Workdirs.MOST_OPEN; i++)
                changesets.open(author(), "");
            assertThatThrownBy(() -> changesets.open(author(), "")).hasMessageContaining("open changesets already");
            assertThat(changesets.state(author()).open()).hasSize(Workdirs.MOST_OPEN);

            changesets.discard(author(), changesets.state(author()).open().getFirst().changesetId());
            changesets.discard(author(), "cs-1-ffffffff");
            changesets.discard(author(), "../..");
            assertThat(changesets.state(author()).open()).hasSize(Workdirs.MOST_OPEN - 1);
        }
    }
}
