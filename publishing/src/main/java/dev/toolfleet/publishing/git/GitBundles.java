package dev.toolfleet.publishing.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// Files of bundles as the newest commit of a branch has them, in folders of this machine. What is loaded from there
/// must have the digests that were applied, as anywhere else.
///
/// **Threads.** Thread-safe. Callers that come during a fetch wait for the next one and share it.
public final class GitBundles implements AutoCloseable {
    /// A load copies what it needs from the folder that it got, in this time at most; older ones are removed.
    private static final Duration IN_USE = Duration.ofMinutes(10);
    private static final int KEPT = 2;

    private final GitAddress address;
    private final Optional<GitCredentials> credentials;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Checkout> checkouts = new ArrayDeque<>();
    private @Nullable GitRepository repository;
    private long fetchBegan = Long.MIN_VALUE;

    /// @param at when it was made, by [System#nanoTime]
    private record Checkout(ObjectId commit, Path folder, long at) {}

    /// Nothing is fetched before the first question.
    public GitBundles(GitAddress address, Optional<GitCredentials> credentials) {
        this.address = address;
        this.credentials = credentials;
    }

    /// Returns the folder of a bundle in the newest commit: the one of its name, else that of all bundles.
    ///
    /// @throws GitException when the repository cannot be reached and has never been
    public Path folder(String bundle) throws GitException {
        long came = System.nanoTime();
        lock.lock();
        try {
            Path newest = newest(came).folder();
            Path own = newest.resolve(bundle);
            return own.startsWith(newest) && Files.isDirectory(own) ? own : newest;
        } catch (InvalidPathException e) {
            throw new GitException("'" + bundle + "' is no name of a folder", e);
        } catch (IOException e) {
            throw new GitException("there is no room for the files of " + address + ": " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    private Checkout newest(long came) throws GitException, IOException {
        Checkout last = checkouts.peekLast();
        if (last != null && fetchBegan - came > 0)
            return last;
        long began = System.nanoTime();
        try {
            GitRepository git = open();
            ObjectId head = git.fetch();
            if (last == null || !last.commit().equals(head))
                last = checkOut(git, head);
            fetchBegan = began;
            return last;
        } catch (GitException e) {
            if (last == null)
                throw e;
            return last;
        }
    }

    private GitRepository open() throws IOException {
        GitRepository open = repository;
        if (open == null) {
            open = GitRepository.open(address, credentials);
            repository = open;
        }
        return open;
    }

    private Checkout checkOut(GitRepository git, ObjectId head) throws GitException, IOException {
        Checkout made = new Checkout(head, Files.createTempDirectory("toolfleet-bundles"), System.nanoTime());
        try {
            git.copyTo(made.folder(), git.files(head, address.folder()), Map.of());
        } catch (GitException | RuntimeException e) {
            Folders.delete(made.folder());
            throw e;
        }
        checkouts.addLast(made);
        while (checkouts.size() > KEPT && made.at() - checkouts.getFirst().at() > IN_USE.toNanos())
            Folders.delete(checkouts.removeFirst().folder());
        return made;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            checkouts.forEach(checkout -> Folders.delete(checkout.folder()));
            checkouts.clear();
            GitRepository open = repository;
            if (open != null)
                open.close();
        } finally {
            lock.unlock();
        }
    }
}
