package dev.toolfleet.publishing.git;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevSort;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.jspecify.annotations.Nullable;

/// One branch of a repository elsewhere, with a bare copy of it in a folder of this process. Files are read and written
/// as content alone: no hook, no filter and no setting of a repository runs here.
///
/// **Threads.** For one thread at a time. Each method may wait for the server, up to 30 s for a step of the transfer.
public final class GitRepository implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = Math.toIntExact(Duration.ofSeconds(30).toSeconds());
    private static final int MOST_BYTES = 256 << 20;
    private static final String HEAD = "refs/remotes/origin/head";

    private final GitAddress address;
    private final Path folder;
    private final Repository repository;
    private final @Nullable UsernamePasswordCredentialsProvider credentials;

    private GitRepository(GitAddress address, Path folder, Repository repository,
            @Nullable UsernamePasswordCredentialsProvider credentials) {
        this.address = address;
        this.folder = folder;
        this.repository = repository;
        this.credentials = credentials;
    }

    /// Makes an empty copy; nothing is fetched.
    ///
    /// @throws IOException when the machine has no room for temporary files
    public static GitRepository open(GitAddress address, Optional<GitCredentials> credentials) throws IOException {
        IsolatedSystem.install();
        Path folder = Files.createTempDirectory("toolfleet-git");
        Repository repository = FileRepositoryBuilder.create(folder.resolve("copy.git").toFile());
        repository.create(true);
        // Otherwise: a repository sends the credentials, or the worker, to another place.
        repository.getConfig().setString("http", null, "followRedirects", "false");
        return new GitRepository(address, folder, repository, credentials
                .map(each -> new UsernamePasswordCredentialsProvider(each.username(), each.password())).orElse(null));
    }

    /// The place of the bundles.
    public GitAddress address() {
        return address;
    }

    /// Fetches the branch, and returns its newest commit.
    ///
    /// @throws GitException when the server does not answer, or has no such branch
    public ObjectId fetch() throws GitException {
        try (Transport transport = transport()) {
            transport.fetch(NullProgressMonitor.INSTANCE, List.of(
                    new RefSpec("+" + Constants.R_HEADS + address.branch() + ":" + HEAD)));
            ObjectId head = repository.resolve(HEAD);
            if (head == null)
                throw new GitException("the repository " + address.url() + " has no branch " + address.branch());
            return head;
        } catch (IOException | URISyntaxException | RuntimeException e) {
            throw unreachable(e);
        }
    }

    private Transport transport() throws IOException, URISyntaxException {
        Transport transport = Transport.open(repository, new URIish(address.url()));
        transport.setTimeout(TIMEOUT_SECONDS);
        transport.setTagOpt(TagOpt.NO_TAGS);
        if (address.url().startsWith("https:"))
            transport.setCredentialsProvider(credentials);
        return transport;
    }

    private GitException unreachable(Exception e) {
        return new GitException("the branch " + address.branch() + " of " + address.url()
                + " cannot be reached: " + e.getMessage(), e);
    }

    private GitException unreadable(Exception e) {
        return new GitException("the copy of " + address.url() + " cannot be read or written: " + e.getMessage(), e);
    }

    /// Returns the files below a folder of a commit, by their paths from there.
    ///
    /// @param below such as `bundles/acme`; empty for the whole repository
    /// @throws GitException when there is no such commit
    public SortedMap<String, GitFile> files(ObjectId commit, String below) throws GitException {
        SortedMap<String, GitFile> files = new TreeMap<>();
        try (RevWalk walk = new RevWalk(repository); TreeWalk tree = new TreeWalk(repository)) {
            RevCommit parsed = walk.parseCommit(commit);
            String prefix = below.isEmpty() ? "" : below + "/";
            tree.addTree(parsed.getTree());
            tree.setRecursive(true);
            if (!below.isEmpty())
                tree.setFilter(PathFilter.create(below));
            while (tree.next()) {
                GitFile.Type type = type(tree.getFileMode(0));
                if (type != null && tree.getPathString().startsWith(prefix))
                    files.put(tree.getPathString().substring(prefix.length()),
                            new GitFile(tree.getObjectId(0), type));
            }
            return files;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static GitFile.@Nullable Type type(FileMode mode) {
        if (mode.equals(FileMode.REGULAR_FILE))
            return GitFile.Type.REGULAR;
        if (mode.equals(FileMode.EXECUTABLE_FILE))
            return GitFile.Type.EXECUTABLE;
        return mode.equals(FileMode.SYMLINK) ? GitFile.Type.LINK : null;
    }

    /// Writes files into a folder of this process that is empty. A link that leads out of the folder is left out.
    ///
    /// @param contents those that are not in the repository yet, by their ids
    /// @throws GitException when a content cannot be read, or the folder not be written
    public void copyTo(Path target, Map<String, GitFile> files, Map<ObjectId, byte[]> contents) throws GitException {
        try (ObjectReader reader = repository.newObjectReader()) {
            for (Map.Entry<String, GitFile> file : files.entrySet()) {
                Path path = target.resolve(file.getKey()).normalize();
                if (!path.startsWith(target))
                    throw new GitException("the file '" + file.getKey() + "' of " + address
                            + " lies outside of its folder");
                Files.createDirectories(path.getParent());
                copy(reader, file.getValue(), path, target, contents);
            }
        } catch (IOException | InvalidPathException e) {
            throw unreadable(e);
        }
    }

    private static void copy(ObjectReader reader, GitFile file, Path path, Path root, Map<ObjectId, byte[]> contents)
            throws IOException {
        if (file.type() == GitFile.Type.LINK) {
            Path leads = Path.of(new String(content(reader, file, contents), StandardCharsets.UTF_8));
            if (path.resolveSibling(leads).normalize().startsWith(root))
                Files.createSymbolicLink(path, leads);
            return;
        }
        Files.write(path, content(reader, file, contents));
        if (file.type() == GitFile.Type.EXECUTABLE && !path.toFile().setExecutable(true))
            throw new IOException("the file " + path + " cannot be made executable");
    }

    private static byte[] content(ObjectReader reader, GitFile file, Map<ObjectId, byte[]> contents)
            throws IOException {
        byte[] own = contents.get(file.id());
        return own == null ? reader.open(file.id()).getBytes(MOST_BYTES) : own;
    }

    /// Writes the content of a file, and closes the stream.
    ///
    /// @throws GitException when it cannot be read
    public void write(GitFile file, OutputStream to) throws IOException, GitException {
        try (ObjectReader reader = repository.newObjectReader(); to) {
            reader.open(file.id()).copyTo(to);
        } catch (MissingObjectException e) {
            throw unreadable(e);
        }
    }

    /// Returns the differences of two states for people, in the order of the paths.
    ///
    /// @param contents those that are not in the repository yet, by their ids
    /// @throws GitException when a content cannot be read
    public FileDiff diff(SortedMap<String, GitFile> before, SortedMap<String, GitFile> after,
            Map<ObjectId, byte[]> contents) throws GitException {
        SortedSet<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(after.keySet());
        FileDiff.Writer diff = new FileDiff.Writer();
        try (ObjectReader reader = repository.newObjectReader()) {
            for (String path : paths) {
                GitFile old = before.get(path);
                GitFile now = after.get(path);
                if (!Objects.equals(old, now))
                    diff.add(path, old, old == null ? null : content(reader, old, contents), now,
                            now == null ? null : content(reader, now, contents));
            }
            return diff.finish();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /// Keeps contents for commits.
    ///
    /// @throws GitException when they cannot be written
    public void insert(Collection<byte[]> contents) throws GitException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            for (byte[] content : contents)
                inserter.insert(Constants.OBJ_BLOB, content);
            inserter.flush();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /// Makes a commit whose only parent is `parent`, in which the files below a folder are these and all others as
    /// before. Nothing is pushed.
    ///
    /// @param author the name of who changed the files
    /// @throws GitException when it cannot be written
    public ObjectId commit(ObjectId parent, String below, Map<String, GitFile> files, String author, Instant time,
            String message) throws GitException {
        try (ObjectInserter inserter = repository.newObjectInserter(); RevWalk walk = new RevWalk(repository)) {
            PersonIdent person = new PersonIdent(author, "toolfleet@localhost", time, ZoneOffset.UTC);
            CommitBuilder commit = new CommitBuilder();
            commit.setTreeId(tree(walk.parseCommit(parent), below, files, inserter));
            commit.setParentId(parent);
            commit.setAuthor(person);
            commit.setCommitter(person);
            commit.setMessage(message);
            ObjectId id = inserter.insert(commit);
            inserter.flush();
            return id;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private ObjectId tree(RevCommit parent, String below, Map<String, GitFile> files, ObjectInserter inserter)
            throws IOException {
        DirCache index = DirCache.newInCore();
        DirCacheBuilder builder = index.builder();
        String prefix = below.isEmpty() ? "" : below + "/";
        try (TreeWalk walk = new TreeWalk(repository)) {
            walk.addTree(parent.getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                if (!walk.getPathString().startsWith(prefix) || type(walk.getFileMode(0)) == null)
                    builder.add(entry(walk.getPathString(), walk.getObjectId(0), walk.getFileMode(0)));
            }
        }
        files.forEach((path, file) -> builder.add(entry(prefix + path, file.id(), mode(file.type()))));
        builder.finish();
        return index.writeTree(inserter);
    }

    private static DirCacheEntry entry(String path, ObjectId id, FileMode mode) {
        DirCacheEntry entry = new DirCacheEntry(path);
        entry.setFileMode(mode);
        entry.setObjectId(id);
        return entry;
    }

    private static FileMode mode(GitFile.Type type) {
        return switch (type) {
            case REGULAR -> FileMode.REGULAR_FILE;
            case EXECUTABLE -> FileMode.EXECUTABLE_FILE;
            case LINK -> FileMode.SYMLINK;
        };
    }

    /// Makes a commit the newest one of the branch, if its parent still is.
    ///
    /// @return false if the branch has moved, and nothing was written
    /// @throws GitException when the server does not answer, or refuses it
    public boolean push(ObjectId commit, ObjectId parent) throws GitException {
        String branch = Constants.R_HEADS + address.branch();
        try (Transport transport = transport()) {
            RemoteRefUpdate update = new RemoteRefUpdate(repository, commit.name(), commit, branch, false, null,
                    parent);
            transport.push(NullProgressMonitor.INSTANCE, List.of(update));
            return switch (update.getStatus()) {
                case OK, UP_TO_DATE -> true;
                case REJECTED_NONFASTFORWARD, REJECTED_REMOTE_CHANGED -> false;
                default -> {
                    // A server may answer a race so.
                    if (!fetch().equals(parent))
                        yield false;
                    throw new GitException("the repository " + address.url() + " refused a commit to "
                            + address.branch() + ": " + update.getStatus()
                            + (update.getMessage() == null ? "" : ", " + update.getMessage()));
                }
            };
        } catch (IOException | URISyntaxException | RuntimeException e) {
            throw unreachable(e);
        }
    }

    /// Searches the history of a commit, the newest first.
    ///
    /// @param most how many commits are looked at
    /// @return the newest one that is wanted
    /// @throws GitException when they cannot be read
    public Optional<RevCommit> find(ObjectId from, int most, Search wanted) throws GitException {
        try (RevWalk walk = new RevWalk(repository)) {
            walk.markStart(walk.parseCommit(from));
            walk.sort(RevSort.COMMIT_TIME_DESC);
            for (int i = 0; i < most; i++) {
                RevCommit commit = walk.next();
                if (commit == null)
                    return Optional.empty();
                walk.parseBody(commit);
                if (wanted.accepts(commit))
                    return Optional.of(commit);
            }
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /// Condition of a search.
    @FunctionalInterface
    public interface Search {
        /// True for the commit that is searched for.
        boolean accepts(RevCommit commit) throws GitException;
    }

    /// Removes the copy.
    @Override
    public void close() {
        repository.close();
        Folders.delete(folder);
    }
}
