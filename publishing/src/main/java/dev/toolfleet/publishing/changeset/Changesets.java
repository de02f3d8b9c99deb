package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Digests;
import dev.toolfleet.publishing.apply.AppliedRevision;
import dev.toolfleet.publishing.apply.ApplyException;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.apply.ResourceTransaction;
import dev.toolfleet.publishing.git.GitException;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.tool.ToolException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;
import org.jspecify.annotations.Nullable;

/// Changesets of one worker: opened in the folder of an instance, committed to a branch, and applied as the bundle's
/// next revision. The branch is the source of truth; what is applied follows it.
///
/// Interleavings:
/// - *Two workers commit at once.* The branch takes the first; the other one judges its changes anew on the new head.
/// - *A worker dies after its commit, before the apply.* The call runs again elsewhere, finds its commit in the branch
///   by the changeset's id, and applies the head. Any other commit applies it too.
/// - *Two workers apply at once.* Each reads the head only after it has fenced the others, so the one that commits last
///   has read the newest head of all; a fenced one begins anew.
/// - *The branch moves as it is applied.* The one that moved it applies it next.
///
/// **Threads.** Thread-safe: one operation at a time, the others wait. An operation waits for the repository and for
/// Kafka.
public final class Changesets implements AutoCloseable {
    private static final int PUSHES = 5;
    private static final int APPLIES = 3;
    /// Commits in which the applied state is searched for.
    private static final int RECENT_STATES = 20;
    /// Commits in which that of an earlier run of the call is searched for.
    private static final int RECENT_COMMITS = 1_000;
    private static final String LOOK = "Look at the status of the changeset before you try again.";

    private final Setup setup;
    private final GitRepository git;
    private final BundleCopies copies;
    private final ReentrantLock turn = new ReentrantLock();

    /// Surroundings of changesets.
    ///
    /// @param resources the fleet's declarations of the moment
    /// @param publisher writes revisions
    /// @param signer signs them; null for no signature
    /// @param signed whether only signed bundles count in this fleet
    /// @param events the name of the topic `agent.event`
    public record Setup(Supplier<FleetResources> resources, BundlePublisher publisher, @Nullable BundleSigner signer,
            boolean signed, String events, InstantSource clock) {}

    /// @param git the source of truth, which this object owns from now on
    public Changesets(Setup setup, GitRepository git) {
        this.setup = setup;
        this.git = git;
        this.copies = new BundleCopies(git);
    }

    /// One operation.
    interface Work<T> {
        T run() throws GitException, IOException;
    }

    /// Runs what needs the repository, one at a time.
    private <T> T inTurn(Work<T> work) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            return outOfTurn(work);
        } finally {
            turn.unlock();
        }
    }

    private static <T> T outOfTurn(Work<T> work) {
        try {
            return work.run();
        } catch (GitException e) {
            throw new ToolException("E_CHANGESET_GIT", String.valueOf(e.getMessage()), e).suggestion(LOOK);
        } catch (ApplyException e) {
            throw new ToolException(ErrorCode.E_TOOL.name(), String.valueOf(e.getMessage()), e).suggestion(LOOK);
        } catch (IOException | UncheckedIOException | InvalidPathException e) {
            throw new ToolException("E_CHANGESET_WORKDIR", "The folder of changesets cannot be used: "
                    + e.getMessage(), e).suggestion("Open a new changeset.");
        }
    }

    /// Puts the bundle's files, as the branch has them, into a folder of the instance. The same call makes one changeset.
    OpenChangeset open(Author author, String reason) throws InterruptedException {
        return inTurn(() -> {
            Workdirs workdirs = new Workdirs(author.workdir());
            String hex = digest(author.key(), 8);
            List<OpenChangeset> open = workdirs.list();
            Optional<OpenChangeset> same = open.stream().filter(each -> each.changesetId().endsWith("-" + hex))
                    .findFirst();
            if (same.isPresent())
                return same.get();
            if (open.size() >= Workdirs.MOST_OPEN)
                throw new ToolException("E_CHANGESET_WORKDIR", "There are " + open.size() + " open changesets already.")
                        .suggestion("Commit or discard some of them first.");
            ObjectId head = git.fetch();
            Instant now = setup.clock().instant();
            OpenChangeset changeset = new OpenChangeset("cs-" + now.getEpochSecond() + "-" + hex, author.bundle(),
                    author.agent(), ref(head), reason, now);
            workdirs.create(changeset, git, copies.tree(head, author.bundle()).files());
            return changeset;
        });
    }

    private static String digest(String text, int digits) {
        return Digests.sha256(text).substring("sha256:".length()).substring(0, digits);
    }

    /// Removes an open changeset; does nothing for another id.
    void discard(Author author, String id) throws InterruptedException {
        boolean _ = inTurn(() -> {
            new Workdirs(author.workdir()).discard(id);
            return true;
        });
    }

    /// The branch and what of it is applied.
    ///
    /// @param activeRef its newest commit
    /// @param applied whether the fleet's revision is what this commit has
    record State(String activeRef, boolean applied, List<OpenChangeset> open) {}

    State state(Author author) throws InterruptedException {
        List<OpenChangeset> open = outOfTurn(() -> new Workdirs(author.workdir()).list());
        return inTurn(() -> {
            ResourceTable table = setup.publisher().preview(author.bundle(), List.of()).before();
            ObjectId head = git.fetch();
            return new State(ref(head), isApplied(head, author.bundle(), table), open);
        });
    }

    /// Files of an open changeset, as they were at one moment.
    private record Snapshot(OpenChangeset open, SortedMap<String, GitFile> files) {}

    private Optional<Snapshot> snapshot(Author author, String id) throws InterruptedException {
        return outOfTurn(() -> {
            Workdirs workdirs = new Workdirs(author.workdir());
            Optional<OpenChangeset> open = workdirs.find(id)
                    .filter(found -> found.bundle().equals(author.bundle()));
            return open.isEmpty() ? Optional.empty() : Optional.of(new Snapshot(open.get(), workdirs.read(id)));
        });
    }

    /// Changes of a snapshot to its base, with the contents that they need.
    private record Mine(BundleCopies.Tree base, Changes changes, Map<ObjectId, byte[]> contents) {}

    private Mine mine(Author author, Snapshot snapshot) throws GitException, IOException {
        BundleCopies.Tree base = copies.tree(commit(snapshot.open().baseRef()), author.bundle());
        Changes changes = Changes.between(base.real(), snapshot.files());
        List<Map.Entry<String, GitFile>> written = new ArrayList<>(changes.added().entrySet());
        written.addAll(changes.changed().entrySet());
        return new Mine(base, changes,
                new Workdirs(author.workdir()).contents(snapshot.open().changesetId(), written));
    }

    /// Returns the judgement of a commit that is not made; empty for no such changeset.
    Optional<Judgement> judge(Author author, String id) throws InterruptedException {
        Optional<Snapshot> snapshot = snapshot(author, id);
        if (snapshot.isEmpty())
            return Optional.empty();
        return inTurn(() -> {
            ObjectId head = git.fetch();
            return Optional.of(judge(author, snapshot.get().open(), mine(author, snapshot.get()), head));
        });
    }

    /// Returns the changes and the message of a commit for people; empty for no such changeset.
    Optional<Proposal> proposal(Author author, String id, String message) throws InterruptedException {
        Optional<Snapshot> snapshot = snapshot(author, id);
        if (snapshot.isEmpty())
            return Optional.empty();
        return inTurn(() -> {
            var _ = git.fetch();
            return Optional.of(proposal(snapshot.get(), mine(author, snapshot.get()), message));
        });
    }

    private Proposal proposal(Snapshot snapshot, Mine mine, String message) throws GitException {
        return new Proposal(said(snapshot.open(), message),
                git.diff(mine.base().real(), mine.changes().on(mine.base().real()), mine.contents()));
    }

    private static String said(OpenChangeset open, String message) {
        String said = message.isBlank() ? open.reason() : message;
        return said.isBlank() ? "Changeset " + open.changesetId() : said.strip();
    }

    /// Commits and applies a changeset. May be called again for one that was committed: it is applied then if it is not
    /// yet.
    ///
    /// @param message for the commit; empty for the reason of its opening
    /// @param approved the proposal's digest that was approved; empty for any
    Outcome commit(Author author, String id, String message, Optional<String> approved) throws InterruptedException {
        Optional<Snapshot> snapshot = snapshot(author, id);
        return inTurn(() -> {
            ObjectId head = git.fetch();
            Optional<RevCommit> earlier = git.find(head, RECENT_COMMITS, commit -> isOf(commit, author, id));
            if (earlier.isPresent())
                return again(author, id, earlier.get());
            if (snapshot.isEmpty())
                return new Outcome.Rejected("", "CHANGESET_NOT_FOUND", "There is no open changeset '" + id + "' here.",
                        List.of(), List.of());
            refuseWithoutKey();
            Mine mine = mine(author, snapshot.get());
            if (approved.isPresent() && !approved.get().equals(proposal(snapshot.get(), mine, message).digest()))
                throw new ToolException("E_CHANGESET_WORKDIR", "The files of the changeset changed after they were"
                        + " approved.")
                        .suggestion("Nothing was committed. Commit it again; a person looks at it anew.");
            return commit(author, snapshot.get().open(), mine, said(snapshot.get().open(), message), head);
        });
    }

    private void refuseWithoutKey() {
        if (setup.signed() && setup.signer() == null)
            throw new ToolException("E_CHANGESETS_OFF", "This fleet takes signed bundles only, and this worker has no"
                    + " key to sign with.").suggestion("Have the operator set worker.changesets.signingKey.");
    }

    private Outcome commit(Author author, OpenChangeset open, Mine mine, String said, ObjectId newest)
            throws GitException, IOException {
        ObjectId head = newest;
        for (int i = 0; i < PUSHES; i++) {
            Judgement judged = judge(author, open, mine, head);
            if (judged.outcome().isPresent()) {
                Outcome outcome = judged.outcome().get();
                if (outcome.ends())
                    new Workdirs(author.workdir()).discard(open.changesetId());
                return outcome;
            }
            if (i == 0)
                refuseDrift(author.bundle(), setup.publisher().preview(author.bundle(), List.of()).before());
            if (judged.changes().isEmpty())
                return applied(author, open.changesetId(), open.baseRef(), head, head, mine.changes());
            git.insert(mine.contents().values());
            ObjectId made = git.commit(head, judged.below(), judged.files(), author.agent(), setup.clock().instant(),
                    said + footers(author, open.changesetId()));
            if (git.push(made, head))
                return applied(author, open.changesetId(), open.baseRef(), head, made, judged.changes());
            head = git.fetch();
        }
        throw new ToolException("E_CHANGESET_GIT", "The branch moved during each of " + PUSHES + " tries.")
                .suggestion("Nothing was changed; commit it again.");
    }

    private static String footers(Author author, String id) {
        return "\n\nChangeset: " + id + "\nBundle: " + author.bundle() + "\nInstance: "
                + digest(author.instanceKey(), 16) + "\nTool-Call: " + oneLine(author.callId()) + "\nAgent: "
                + oneLine(author.agent()) + "\n";
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}\\u2028\\u2029]+", " ");
    }

    /// True for the commit of this changeset, of this bundle and instance.
    private static boolean isOf(RevCommit commit, Author author, String id) {
        return commit.getParentCount() > 0 && commit.getFooterLines("Changeset").contains(id)
                && commit.getFooterLines("Bundle").contains(author.bundle())
                && commit.getFooterLines("Instance").contains(digest(author.instanceKey(), 16));
    }

    private Outcome again(Author author, String id, RevCommit made) throws GitException, IOException {
        if (!author.rules().enabled())
            return Judge.disabled("", author);
        refuseWithoutKey();
        ObjectId parent = made.getParent(0);
        Changes changes = Changes.between(copies.tree(parent, author.bundle()).files(),
                copies.tree(made, author.bundle()).files());
        return applied(author, id, ref(parent), parent, made, changes);
    }

    /// Judges what a commit on `head` would change.
    private Judgement judge(Author author, OpenChangeset open, Mine mine, ObjectId head) throws GitException {
        List<String> links = mine.changes().links();
        if (!links.isEmpty())
            return Judgement.of(new Outcome.Rejected(open.baseRef(), Judge.VIOLATION, String.join(", ", links)
                    + ": a link, which no changeset can make", links, List.of()), mine.changes());
        BundleCopies.Tree now = copies.tree(head, author.bundle());
        SortedSet<String> conflicts = mine.changes().conflicts(mine.base().real(), now.files());
        if (!conflicts.isEmpty())
            return Judgement.of(new Outcome.Conflict(open.baseRef(), List.copyOf(conflicts)), mine.changes());
        if (mine.changes().isEmpty())
            return Judgement.of(new Outcome.Done(open.baseRef(), open.baseRef(), 0, mine.changes()), mine.changes());
        SortedMap<String, GitFile> next = mine.changes().on(now.files());
        return new Judge(author, setup, copies).judge(open.baseRef(), Changes.between(now.files(), next), now, next,
                mine.contents());
    }

    /// Keeps an agent from overwriting what was applied by hand: the fleet must run the head, or one of the last states
    /// of the branch. The branch is fetched after the revision was read: what others push and apply meanwhile is in it.
    private void refuseDrift(String bundle, ResourceTable table) throws GitException {
        Optional<RevCommit> running = git.find(git.fetch(), RECENT_STATES,
                commit -> isApplied(commit, bundle, table));
        if (running.isEmpty())
            throw new ToolException("E_CHANGESET_DRIFT", "The fleet runs something else for the bundle " + bundle
                    + " than " + git.address() + " has had lately; a commit would overwrite it.")
                    .suggestion("Have the operator push what was applied, or apply what the branch has.");
    }

    private boolean isApplied(ObjectId commit, String bundle, ResourceTable table) {
        try {
            BundleCopies.Read read = copies.read(bundle, copies.tree(commit, bundle).files(), Map.of());
            return read.report().valid() && !RevisionPlan.of(bundle, read.resources(), table).changes();
        } catch (ApplyException | GitException e) {
            return false; // The bundle is not there, or cannot be applied.
        }
    }

    private Outcome applied(Author author, String id, String baseRef, ObjectId before, ObjectId made, Changes changes)
            throws IOException {
        RevisionEvent event = new RevisionEvent(author, id, ref(before), ref(made), changes, setup.clock().instant());
        AppliedRevision revision = apply(author.bundle(), author.rules().event()
                ? transaction -> event.write(transaction, setup.events())
                : null, ref(made));
        new Workdirs(author.workdir()).discard(id);
        return new Outcome.Done(baseRef, ref(made), revision.revision(), changes);
    }

    private AppliedRevision apply(String bundle, @Nullable Consumer<ResourceTransaction> event, String made) {
        for (int i = 1;; i++) {
            try {
                return setup.publisher().publish(bundle, table -> newest(bundle, table), setup.signer(), event);
            } catch (ApplyException e) {
                boolean fenced = e.getCause() instanceof ProducerFencedException
                        || e.getCause() instanceof InvalidProducerEpochException;
                if (!fenced || i == APPLIES)
                    throw new ToolException("E_CHANGESET_NOT_APPLIED", "The commit " + made + " is on the branch "
                            + git.address().branch() + " and not applied yet: " + e.getMessage(), e)
                            .suggestion("Commit the changeset again; that applies it.");
            }
        }
    }

    private List<RevisionPlan.Declared> newest(String bundle, ResourceTable table) {
        try {
            refuseDrift(bundle, table);
            BundleCopies.Read read = copies.read(bundle, copies.tree(git.fetch(), bundle).files(), Map.of());
            if (!read.report().valid())
                throw ApplyException.refused("the newest commit of " + git.address() + " is not valid: "
                        + read.report().problems().stream().filter(found -> found.severity() == Severity.ERROR)
                                .map(ProblemText::of).findFirst().orElse(""));
            return read.resources();
        } catch (GitException e) {
            throw ApplyException.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private static String ref(ObjectId commit) {
        return "git:" + commit.name();
    }

    private static ObjectId commit(String ref) throws GitException {
        if (!ref.matches("git:[0-9a-f]{40}"))
            throw new ToolException("E_CHANGESET_WORKDIR", "The changeset's baseRef '" + ref + "' is no commit.")
                    .suggestion("Discard it, and open a new one.");
        return ObjectId.fromString(ref.substring("git:".length()));
    }

    @Override
    public void close() {
        turn.lock();
        try {
            git.close();
        } finally {
            turn.unlock();
        }
    }
}
