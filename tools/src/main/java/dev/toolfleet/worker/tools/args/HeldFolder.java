package dev.toolfleet.worker.tools.args;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Open folder that stays the same folder however names change meanwhile: a file opened in it lies in it. The worker
/// reaches it step by step from a folder that no other process can move, and each step follows no link. Where the
/// system cannot do that (`openat`), and outside of the workdir, each use resolves the path anew.
public final class HeldFolder implements Closeable {
    /// Form in which the JDK writes the key of a file on Unix.
    private static final Pattern KEY = Pattern.compile("\\(dev=([0-9a-f]+),ino=([0-9]+)\\)");

    private final Path folder;
    private final DirectoryStream<Path> stream;
    private final @Nullable HeldPlace place;

    private HeldFolder(Path folder, DirectoryStream<Path> stream, @Nullable HeldPlace place) {
        this.folder = folder;
        this.stream = stream;
        this.place = place;
    }

    /// Walks from `root` to a folder in it.
    static HeldFolder within(Path root, Path folder) throws IOException {
        if (!HeldPlace.possible())
            return walked(root, folder);
        HeldPlace at = HeldPlace.at(root);
        for (Path name : root.relativize(folder))
            if (!name.toString().isEmpty())
                try (HeldPlace left = at) {
                    at = left.entry(name);
                }
        return of(folder, at);
    }

    @SuppressWarnings("StreamResourceLeak") // The holder of the folder closes it.
    private static HeldFolder of(Path folder, HeldPlace place) throws IOException {
        try {
            return new HeldFolder(folder, Files.newDirectoryStream(place.path()), place);
        } catch (IOException e) {
            place.close();
            throw e;
        }
    }

    @SuppressWarnings("StreamResourceLeak") // The holder of the folder closes it.
    private static HeldFolder walked(Path root, Path folder) throws IOException {
        DirectoryStream<Path> at = Files.newDirectoryStream(root);
        for (Path name : root.relativize(folder)) {
            if (!(at instanceof SecureDirectoryStream<Path> secure)) {
                at.close();
                return at(folder);
            }
            if (name.toString().isEmpty())
                break;
            try (secure) {
                at = secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
            }
        }
        return new HeldFolder(folder, at, null);
    }

    /// A folder by its path alone.
    @SuppressWarnings("StreamResourceLeak") // The holder of the folder closes it.
    static HeldFolder at(Path folder) throws IOException {
        return HeldPlace.possible()
                ? of(folder, HeldPlace.at(folder))
                : new HeldFolder(folder, Files.newDirectoryStream(folder), null);
    }

    /// Returns the folder's key in this system: `device:inode`, the device in hexadecimal digits; null where the system
    /// has no such key.
    @Nullable
    String identity() throws IOException {
        if (!(stream instanceof SecureDirectoryStream<Path> secure))
            return null;
        Matcher key = KEY.matcher(String.valueOf(
                secure.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey()));
        return key.matches() ? key.group(1) + ":" + key.group(2) : null;
    }

    /// Returns the names in the folder, sorted. A list of more than `most` names is cut to one more than `most`.
    public List<Path> names(int most) throws IOException {
        List<Path> names = new ArrayList<>();
        try {
            for (Path entry : stream) {
                names.add(entry.getFileName());
                if (names.size() > most)
                    break;
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(Comparator.comparing(Path::toString));
        return names;
    }

    /// Returns the attributes of an entry; for a link, those of the link.
    public BasicFileAttributes attributes(Path name) throws IOException {
        return stream instanceof SecureDirectoryStream<Path> secure
                ? secure.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes()
                : Files.readAttributes(folder.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /// Returns a folder in it. A link is not followed.
    ///
    /// @throws IOException if there is no folder of this name
    @SuppressWarnings("StreamResourceLeak") // The holder of the folder closes it.
    public HeldFolder folder(Path name) throws IOException {
        Path below = folder.resolve(name);
        if (place != null)
            return of(below, place.entry(name));
        return new HeldFolder(below, stream instanceof SecureDirectoryStream<Path> secure
                ? secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)
                : Files.newDirectoryStream(below), null);
    }

    /// Returns a folder in it, which is made if there is nothing of this name.
    public HeldFolder folderOrNew(Path name) throws IOException {
        try {
            Files.createDirectory(path().resolve(name));
        } catch (FileAlreadyExistsException e) {
            // Opened below, if it is a folder.
        }
        return folder(name);
    }

    /// Removes an entry: a file, a link or a folder that is empty. Does nothing if there is none.
    public void delete(Path name) throws IOException {
        Files.deleteIfExists(path().resolve(name));
    }

    /// True if the owner of a file may run it.
    public boolean isExecutable(Path name) throws IOException {
        return Files.getPosixFilePermissions(path().resolve(name), LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_EXECUTE);
    }

    /// Lets the owner of a file run it. A link is not followed, where the system can tell.
    public void makeExecutable(Path name) throws IOException {
        if (place == null) {
            boolean _ = folder.resolve(name).toFile().setExecutable(true);
            return;
        }
        try (HeldPlace file = place.entry(name)) {
            Set<PosixFilePermission> rights = new HashSet<>(Files.getPosixFilePermissions(file.path()));
            rights.add(PosixFilePermission.OWNER_EXECUTE);
            Files.setPosixFilePermissions(file.path(), rights);
        }
    }

    /// A path that leads to this folder while it is held, where the system has one.
    private Path path() {
        return place == null ? folder : place.path();
    }

    /// Opens a file in it that exists. A link is not followed.
    ///
    /// @param check throws unless the file may be opened. On Linux it judges the very file that is then opened. Otherwise:
    ///        a pipe takes the file's place after the check, and opening it waits for ever
    public SeekableByteChannel open(Path name, StandardOpenOption how, Check check) throws IOException {
        if (place == null) {
            check.judge(attributes(name));
            return opened(name, Set.of(how, LinkOption.NOFOLLOW_LINKS));
        }
        try (HeldPlace file = place.entry(name)) {
            check.judge(Files.readAttributes(file.path(), BasicFileAttributes.class));
            return Files.newByteChannel(file.path(), how);
        }
    }

    /// Makes a file in it.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if there is anything of this name
    public SeekableByteChannel create(Path name) throws IOException {
        return opened(name, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS));
    }

    /// Opens a file for writing that may have to be made.
    ///
    /// @param check of one that exists
    public SeekableByteChannel openOrCreate(Path name, Check check) throws IOException {
        try {
            return open(name, StandardOpenOption.WRITE, check);
        } catch (NoSuchFileException missing) {
            try {
                return create(name);
            } catch (FileAlreadyExistsException e) {
                return open(name, StandardOpenOption.WRITE, check); // Made meanwhile.
            }
        }
    }

    /// Check of a file before it is opened.
    @FunctionalInterface
    public interface Check {
        /// Throws unless the file may be opened.
        void judge(BasicFileAttributes attributes);
    }

    private SeekableByteChannel opened(Path name, Set<? extends OpenOption> options) throws IOException {
        return stream instanceof SecureDirectoryStream<Path> secure
                ? secure.newByteChannel(name, options)
                : Files.newByteChannel(folder.resolve(name), options);
    }

    @Override
    public void close() throws IOException {
        if (place != null)
            place.close();
        stream.close();
    }
}
