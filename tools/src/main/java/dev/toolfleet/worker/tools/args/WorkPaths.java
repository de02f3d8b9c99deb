package dev.toolfleet.worker.tools.args;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

import dev.toolfleet.tool.ToolException;
import org.jspecify.annotations.Nullable;

/// Resolves the paths that a model gives. A resolved path holds no symbolic link, so the code that opens it can refuse
/// links that appear after the check. The path lies inside the workdir unless the tool's configuration allows
/// otherwise.
public final class WorkPaths {
    private static final int MAX_LINKS = 40;

    private final Path workdir;
    private final Path root;
    private final Path base;
    private final boolean allowOutside;

    private WorkPaths(Path workdir, Path root, Path base, boolean allowOutside) {
        this.workdir = workdir;
        this.root = root;
        this.base = base;
        this.allowOutside = allowOutside;
    }

    /// Returns the paths of a call. A spawned instance works inside the folder of its owner, whose programs can put a
    /// link in the workdir's place; so no link is followed on the way from `base` to it.
    ///
    /// @param base holds the workdir, and only the worker changes its direct entries: the root of the workspace; the
    /// workdir itself when it lies elsewhere
    /// @param allowOutside whether paths may leave the workdir
    /// @throws ToolException `E_PATH_OUTSIDE_WORKDIR` if another entry has taken the workdir's place
    public static WorkPaths of(Path workdir, Path base, boolean allowOutside) {
        Path given = workdir.toAbsolutePath().normalize();
        Path above = base.toAbsolutePath().normalize();
        try {
            Path held = given.startsWith(above) ? above.toRealPath() : given.toRealPath();
            Path root = given.startsWith(above) ? held.resolve(above.relativize(given)).normalize() : held;
            if (!root.equals(given.toRealPath()))
                throw new ToolException("E_PATH_OUTSIDE_WORKDIR", "The working directory is no longer where it was: '"
                        + given.getFileName() + "' leads elsewhere.").suggestion("The instance that owns this folder "
                                + "has put a link in its place; ask it to restore the folder.");
            return new WorkPaths(given, root, held, allowOutside);
        } catch (IOException e) {
            throw FileErrors.of(e, workdir.toString());
        }
    }

    /// The workdir without symbolic links.
    public Path root() {
        return root;
    }

    /// The place that a path means, which need not exist.
    ///
    /// @param given relative to the workdir, or absolute
    /// @throws ToolException `E_PATH_OUTSIDE_WORKDIR` if it may not be used
    public Path resolve(String given) {
        try {
            Path real = followed(lexical(given), given, 0);
            check(real, given);
            return real;
        } catch (IOException e) {
            throw FileErrors.of(e, given);
        }
    }

    /// Holds a folder that [#resolve] found, so that nothing outside can take its place.
    public HeldFolder hold(Path resolved) throws IOException {
        return resolved.startsWith(root) ? HeldFolder.within(base, resolved) : HeldFolder.at(resolved);
    }

    /// Returns the system's key of the workdir, whatever names lead to it: `device:inode`, the device in hexadecimal
    /// digits. Null where the system has no such key, and for a folder that only the worker could replace. Follows no
    /// link.
    public @Nullable String identity() {
        if (root.equals(base) || base.equals(root.getParent()))
            return null;
        try (HeldFolder held = HeldFolder.within(base, root)) {
            return held.identity();
        } catch (IOException e) {
            throw FileErrors.of(e, workdir.getFileName().toString());
        }
    }

    /// Checks again that a place still is where [#resolve] found it: something may have put a link into its path
    /// meanwhile.
    public void recheck(Path resolved, String given) throws IOException {
        check(resolved.toRealPath(), given);
    }

    /// Joins the path to the workdir, without `..`. The shell would follow links first, but the worker then uses
    /// exactly this path.
    private Path lexical(String given) {
        try {
            Path path = Path.of(given);
            Path absolute = path.isAbsolute() ? path.normalize() : root.resolve(path).normalize();
            return absolute.startsWith(workdir) ? root.resolve(workdir.relativize(absolute)) : absolute;
        } catch (InvalidPathException e) {
            throw Arguments.invalid("The path holds a character that paths cannot have: " + e.getReason(),
                    "Use a plain path without control characters.");
        }
    }

    private Path followed(Path path, String given, int links) throws IOException {
        if (links > MAX_LINKS)
            throw FileErrors.of("ELOOP", given);
        Path existing = nearestExisting(path);
        Path rest = existing.relativize(path);
        if (Files.isSymbolicLink(existing) && Files.notExists(existing)) {
            Path parent = existing.resolveSibling("").toRealPath();
            Path target = parent.resolve(Files.readSymbolicLink(existing)).normalize();
            return followed(join(target, rest), given, links + 1);
        }
        return join(existing.toRealPath(), rest);
    }

    private static Path join(Path path, Path rest) {
        return rest.toString().isEmpty() ? path : path.resolve(rest);
    }

    private static Path nearestExisting(Path path) {
        Path existing = path;
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = existing.getParent();
            if (parent == null)
                return existing;
            existing = parent;
        }
        return existing;
    }

    private void check(Path real, String given) {
        if (!allowOutside && !real.startsWith(root))
            throw new ToolException("E_PATH_OUTSIDE_WORKDIR", "The path leads outside the working directory: '" + given
                    + "'").suggestion("Use a path inside the working directory, such as 'notes.txt' or 'src/App.java'; "
                            + "symbolic links may not lead out of it.");
    }
}
