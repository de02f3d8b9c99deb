package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Digests;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.publishing.git.Repositories;
import dev.toolfleet.resources.BundleKeys;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.ChangesetRules;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.WireCodec;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Changesets against a broker and a repository on disk.
@EmbeddedKafkaTest
class ChangesetsIT {
    private static final String BUNDLE = "@acme/desk";
    private static final String DESK = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/desk"}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: helper}
            spec: {tools: [Tool/notes, {kind: Tool, name: swarm-bundle, package: "@toolfleet/base"}]}
            ---
            apiVersion: goondan.ai/v1
            kind: Swarm
            metadata: {name: desk}
            spec:
              entryAgent: Agent/helper
              agents: [Agent/helper]
              policy: {changesets: {enabled: true, allowed: {files: ["tools/**", "notes.yaml"]}}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: careful}
            spec: {rules: [{id: no-shell, verdict: deny, tool: "notes__shell", reason: No shell}]}
            """;
    private static final String NOTES = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: notes}
            spec:
              entry: ./tools/notes.mjs
              exports:
                - {name: write, description: Writes a note}
            """;
    private static final String READ = "    - {name: read, description: Reads the notes}\n";

    @TempDir
    private Path folder;
    private final KafkaFixture kafka;
    private final Map<String, Object> client;
    private final String topic;
    private final String events;
    private final BundlePublisher publisher;
    private GitAddress address = new GitAddress("", "", "");

    ChangesetsIT(KafkaFixture kafka) {
        this.kafka = kafka;
        client = Map.of("bootstrap.servers", kafka.bootstrapServers());
        topic = kafka.create(Topic.RESOURCE.baseName(), 1, Topic.RESOURCE.config());
        events = kafka.create(Topic.AGENT_EVENT.baseName(), 1, Map.of());
        publisher = new BundlePublisher(topic, client, InstantSource.system());
    }

    @BeforeEach
    void begin() throws Exception {
        address = Repositories.create(folder.resolve("fleet.git"));
        Repositories.push(address, "Begin", Map.of("toolfleet.yaml", DESK, "notes.yaml", NOTES, "tools/notes.mjs",
                "export const handlers = {}", "README.md", "Notes"));
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            BundleCopies copies = new BundleCopies(git);
            publisher.publish(BUNDLE,
                    copies.read(BUNDLE, copies.tree(git.fetch(), BUNDLE).files(), Map.of()).resources());
        }
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

    private Changesets changesets() throws IOException {
        return changesets(false, null);
    }

    private Changesets changesets(boolean signed, @Nullable BundleSigner signer)
            throws IOException {
        return new Changesets(new Changesets.Setup(this::fleet, publisher, signer, signed, events,
                InstantSource.system()), GitRepository.open(address, Optional.empty()));
    }

    private FleetResources fleet() {
        return new ResourceReader(topic, client).readToEnd().view();
    }

    private Author author() {
        String key = UUID.randomUUID().toString();
        return new Author(BUNDLE, "helper", "conversation-1", new PolicyCaller("ann", null, "helper"),
                ChangesetRules.of(fleet(), "helper"), key, key, workdir());
    }

    private Path workdir() {
        try {
            return Files.createDirectories(folder.resolve("workspace/conversation-1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(OpenChangeset open, String path) {
        return new Workdirs(workdir()).folder(open.changesetId()).resolve(path);
    }

    private void write(OpenChangeset open, String path, String text) throws IOException {
        Files.writeString(file(open, path), text);
    }

    private long revision() {
        return fleet().bundle(BUNDLE).orElseThrow().revision();
    }

    private List<String> exports() {
        return fleet().bundle(BUNDLE).orElseThrow().tool("notes").orElseThrow().exports().stream()
                .map(export -> export.name()).toList();
    }

    private List<AgentEvent> events() {
        List<AgentEvent> found = new ArrayList<>();
        WireCodec<AgentEvent> codec = WireCodec.of(AgentEvent.class);
        try (TopicScan scan = TopicScan.open(client, Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(TopicScan.partitions(events, 1)),
                    record -> found.add(codec.read(record.value())));
        }
        return found;
    }
}
