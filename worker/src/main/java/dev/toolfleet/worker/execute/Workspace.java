package dev.toolfleet.worker.execute;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.toolfleet.json.Digests;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The instances' own folders under one root. A folder's name holds a readable part of the key and 128 bits of its
/// SHA-256, so that no key leads outside the root and no two share a folder. New folders belong to the worker's user
/// alone. Thread-safe.
public final class Workspace {
    private static final Logger LOG = LoggerFactory.getLogger(Workspace.class);
    private static final int READABLE = 40;
    private static final int DIGITS = 32;
    /// The time for which a use stands for later ones. Folders are removed after a much longer time without any.
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MOST_RECENT = 10_000;

    private final Path root;
    private final InstantSource clock;
    private final Homes homes;
    private final LastUses uses;
    /// Folders by the instances that have used them lately. All are forgotten when they are too many.
    private final Map<String, Recent> recent = new ConcurrentHashMap<>();

    private record Recent(Path folder, Instant marked) {
        boolean isFresh(Instant now) {
            return !now.isBefore(marked) && now.isBefore(marked.plus(FRESH))
                    && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /// Recorded folders of instances that work in another one's folder.
    @FunctionalInterface
    public interface Homes {
        /// Every instance works in its own folder.
        Homes OWN = (agent, instanceKey) -> null;

        /// Returns the folder, relative to the root; null for the instance's own.
        @Nullable
        String cwd(@Nullable String agent, String instanceKey);
    }

    /// Creates a workspace in which every instance has its own folder.
    ///
    /// @throws UncheckedIOException if the root cannot be written, naming it and the setting
    public Workspace(Path root, InstantSource clock) {
        this(root, clock, Homes.OWN);
    }

    /// Creates a workspace, and its root if that is missing.
    ///
    /// @throws UncheckedIOException if the root cannot be written, naming it and the setting
    public Workspace(Path root, InstantSource clock, Homes homes) {
        this.homes = homes;
        this.root = root.toAbsolutePath().normalize();
        this.clock = clock;
        this.uses = new LastUses(this.root);
        try {
            Files.createDirectories(this.root, OwnFolders.onlyMine());
            Files.delete(Files.createTempFile(this.root, ".probe", null));
        } catch (IOException e) {
            throw new UncheckedIOException(new IOException("The workspace '" + this.root + "' cannot be written ("
                    + e + "). Set worker.workspace.root to a folder that this user may write.", e));
        }
    }

    /// Returns the folder of an instance. Creates it if it is missing, and marks it as used.
    public Path folder(String instanceKey) {
        Instant now = clock.instant();
        Recent known = recent.get(instanceKey);
        if (known != null && known.isFresh(now))
            return known.folder;
        Path folder = root.resolve(name(instanceKey));
        try {
            Files.createDirectories(folder, OwnFolders.onlyMine());
            uses.mark(folder.getFileName().toString(), now);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (recent.size() >= MOST_RECENT)
            recent.clear();
        recent.put(instanceKey, new Recent(folder, now));
        return folder;
    }

    /// Returns the folder in which an agent's tools work in an instance. Creates it if it is missing, and marks it as
    /// used.
    public Path folder(@Nullable String agent, String instanceKey) {
        String cwd = homes.cwd(agent, instanceKey);
        return cwd == null ? folder(instanceKey) : below(cwd);
    }

    /// Returns a folder inside an instance's own. Recorded paths hold no symbolic link, so a link in the path was put
    /// there later.
    private Path below(String cwd) {
        Path folder = root.resolve(cwd).normalize();
        if (!folder.startsWith(root) || folder.equals(root))
            throw new IllegalStateException("The recorded working directory '" + cwd + "' is outside the workspace.");
        try {
            Path made = root;
            for (Path name : root.relativize(folder)) {
                made = made.resolve(name);
                if (Files.isSymbolicLink(made))
                    throw new IllegalStateException(
                            "The recorded working directory '" + cwd + "' leads through a symbolic link.");
                if (!Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS))
                    Files.createDirectory(made, OwnFolders.onlyMine());
            }
            uses.mark(root.relativize(folder).getName(0).toString(), clock.instant());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    static String name(String instanceKey) {
        String readable = instanceKey.substring(0, Math.min(READABLE, instanceKey.length()))
                .replaceAll("[^A-Za-z0-9_-]", "_");
        return readable + "-" + Digests.sha256(instanceKey).substring("sha256:".length()).substring(0, DIGITS);
    }

    /// Removes folders that no call has used for `idle`. Blocks for the time of the file operations.
    public void removeIdle(Duration idle) {
        Instant before = clock.instant().minus(idle);
        try (Stream<Path> folders = Files.list(root)) {
            folders.filter(Workspace::isOurs).filter(folder -> usedBefore(folder, before)).forEach(Workspace::remove);
            uses.forget(before);
        } catch (IOException | UncheckedIOException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("workspace not readable");
        }
    }

    /// True for an instance's folder. The root may hold other entries, which must not be removed.
    private static boolean isOurs(Path folder) {
        return folder.getFileName().toString().matches("[A-Za-z0-9_-]*-[0-9a-f]{" + DIGITS + "}")
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    private boolean usedBefore(Path folder, Instant instant) {
        try {
            return uses.usedBefore(folder.getFileName().toString(), instant, clock.instant());
        } catch (IOException e) {
            return false;
        }
    }

    private static void remove(Path folder) {
        try {
            OwnFolders.remove(folder);
            LOG.atInfo().addKeyValue(LogKeys.FOLDER, folder.getFileName()).log("idle workspace removed");
        } catch (IOException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("idle workspace not removed");
        }
    }
}
