package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.git.GitException;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.HeldFolder;
import dev.toolfleet.worker.tools.args.WorkPaths;
import org.eclipse.jgit.lib.ObjectId;
import tools.jackson.core.JacksonException;

/// Folders of the open changesets of one instance: `.changesets/ID` in its workdir, with `.changesets/ID.json` beside.
/// Everything there is the agent's to write, also while it is read: folders are walked from the workdir without
/// following a link, and nothing but regular files is opened.
final class Workdirs {
    /// The most open changesets of an instance.
    static final int MOST_OPEN = 10;
    /// The largest file that a changeset may add or change, in bytes.
    static final int MOST_BYTES = 4 << 20;
    /// The most bytes of all these files.
    private static final int MOST_BYTES_OF_ALL = 32 << 20;
    private static final int MOST_BYTES_OF_NOTE = 16 << 10;
    private static final int DEEPEST = 32;
    private static final Path FOLDER = Path.of(".changesets");
    private static final Pattern ODD = Pattern.compile("[\\p{Cntrl}\\\\\u2028\u2029\ufffd]");
    private static final Pattern GIT = Pattern.compile("(?i)\\.git|git~[0-9]+|\\.git[ .]+");
    private static final Pattern ID = Pattern.compile("cs-[0-9]{1,12}-[0-9a-f]{8}");

    private final Path workdir;
    private final WorkPaths paths;

    /// @param workdir the instance's folder
    Workdirs(Path workdir) {
        this.workdir = workdir;
        this.paths = WorkPaths.of(workdir, workdir, false);
    }

    /// Returns the folder of a changeset.
    Path folder(String id) {
        return workdir.resolve(FOLDER).resolve(id);
    }

    private HeldFolder root() throws IOException {
        try (HeldFolder held = paths.hold(paths.root())) {
            return held.folder(FOLDER);
        }
    }

    /// Puts the files there, but no links. What ends before it is done is no changeset.
    void create(OpenChangeset changeset, GitRepository git, SortedMap<String, GitFile> files)
            throws IOException, GitException {
        try (HeldFolder held = paths.hold(paths.root()); HeldFolder root = held.folderOrNew(FOLDER)) {
            try (HeldFolder made = root.folderOrNew(Path.of(changeset.changesetId()))) {
                for (Map.Entry<String, GitFile> file : files.entrySet()) {
                    if (file.getValue().type() != GitFile.Type.LINK)
                        write(made, Path.of(file.getKey()), git, file.getValue());
                }
            }
            try (OutputStream out = Channels.newOutputStream(root.create(note(changeset.changesetId())))) {
                out.write(Json.MAPPER.writeValueAsBytes(changeset));
            }
        }
    }

    private static void write(HeldFolder folder, Path path, GitRepository git, GitFile file)
            throws IOException, GitException {
        if (path.getNameCount() > 1) {
            try (HeldFolder below = folder.folderOrNew(path.getName(0))) {
                write(below, path.subpath(1, path.getNameCount()), git, file);
            }
            return;
        }
        try (SeekableByteChannel channel = folder.create(path)) {
            git.write(file, Channels.newOutputStream(channel));
        }
        if (file.type() == GitFile.Type.EXECUTABLE)
            folder.makeExecutable(path);
    }

    private static Path note(String id) {
        return Path.of(id + ".json");
    }

    /// Returns the open changeset of that id; empty for none.
    Optional<OpenChangeset> find(String id) {
        if (!ID.matcher(id).matches())
            return Optional.empty();
        try (HeldFolder root = root();
                HeldFolder made = root.folder(Path.of(id));
                InputStream in = Channels.newInputStream(
                        root.open(note(id), StandardOpenOption.READ, Workdirs::refuseOther))) {
            OpenChangeset read = Json.MAPPER.readValue(in.readNBytes(MOST_BYTES_OF_NOTE), OpenChangeset.class);
            return Optional.ofNullable(read).filter(open -> open.changesetId().equals(id) && made != null);
        } catch (IOException | JacksonException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /// Returns the open changesets, the oldest first.
    List<OpenChangeset> list() throws IOException {
        List<OpenChangeset> open = new ArrayList<>();
        try (HeldFolder root = root()) {
            for (Path name : root.names(1_000))
                find(name.toString()).ifPresent(open::add);
        } catch (FileSystemException e) {
            return List.of();
        }
        return open;
    }

    private static void refuseOther(BasicFileAttributes attributes) {
        if (!attributes.isRegularFile())
            throw new NotRegularException();
    }

    /// Something else than a file lies where a file was.
    private static final class NotRegularException extends InvalidPathException {
        NotRegularException() {
            super("", "is no regular file");
        }
    }

    /// Returns the files of a changeset, by the ids of their content.
    ///
    /// @throws ToolException when they are too many, or a name cannot stand in a bundle
    SortedMap<String, GitFile> read(String id) throws IOException {
        SortedMap<String, GitFile> files = new TreeMap<>();
        try (HeldFolder root = root(); HeldFolder folder = root.folder(Path.of(id))) {
            read(folder, "", 0, files);
        }
        return files;
    }

    private static void read(HeldFolder folder, String prefix, int depth, SortedMap<String, GitFile> files)
            throws IOException {
        if (depth > DEEPEST)
            throw unusable("The changeset has folders in more than " + DEEPEST + " folders.");
        for (Path name : folder.names(BundleFiles.MOST)) {
            String path = prefix + checked(prefix, name.toString());
            if (files.size() >= BundleFiles.MOST)
                throw unusable("The changeset has more than " + BundleFiles.MOST + " files.");
            BasicFileAttributes attributes = folder.attributes(name);
            if (attributes.isSymbolicLink()) {
                files.put(path, GitFile.link());
            } else if (attributes.isDirectory()) {
                try (HeldFolder below = folder.folder(name)) {
                    read(below, path + "/", depth + 1, files);
                }
            } else if (attributes.isRegularFile()) {
                files.put(path, file(folder, name));
            }
        }
    }

    private static GitFile file(HeldFolder folder, Path name) throws IOException {
        boolean executable = folder.isExecutable(name);
        try (SeekableByteChannel channel = folder.open(name, StandardOpenOption.READ, Workdirs::refuseOther)) {
            return GitFile.of(Channels.newInputStream(channel), channel.size(), executable);
        }
    }

    /// Refuses names that git or a person would read as something else.
    private static String checked(String prefix, String name) {
        if (ODD.matcher(name).find() || GIT.matcher(name).matches())
            throw unusable("The name '" + (prefix + name).replaceAll("\\p{Cntrl}", "?")
                    + "' cannot stand in a bundle: it has a control character or a backslash, or is git's own.");
        return name;
    }

    /// Returns the contents of files, which are those that [#read] has seen.
    ///
    /// @throws ToolException when one has changed since, or they are too large
    Map<ObjectId, byte[]> contents(String id, Collection<Map.Entry<String, GitFile>> files) throws IOException {
        Map<ObjectId, byte[]> contents = new HashMap<>();
        long all = 0;
        try (HeldFolder root = root(); HeldFolder folder = root.folder(Path.of(id))) {
            for (Map.Entry<String, GitFile> file : files) {
                if (file.getValue().type() == GitFile.Type.LINK)
                    continue;
                byte[] content = content(folder, Path.of(file.getKey()));
                all += content.length;
                if (content.length > MOST_BYTES || all > MOST_BYTES_OF_ALL)
                    throw unusable("The files that the changeset adds and changes have more than "
                            + (content.length > MOST_BYTES
                                    ? MOST_BYTES + " bytes in '" + file.getKey() + "'."
                                    : MOST_BYTES_OF_ALL + " bytes."));
                if (!GitFile.id(content).equals(file.getValue().id()))
                    throw unusable("The file '" + file.getKey() + "' changed while it was read.");
                contents.put(file.getValue().id(), content);
            }
        }
        return contents;
    }

    private static byte[] content(HeldFolder folder, Path path) throws IOException {
        if (path.getNameCount() > 1) {
            try (HeldFolder below = folder.folder(path.getName(0))) {
                return content(below, path.subpath(1, path.getNameCount()));
            }
        }
        try (InputStream in = Channels.newInputStream(
                folder.open(path, StandardOpenOption.READ, Workdirs::refuseOther))) {
            return in.readNBytes(MOST_BYTES + 1);
        }
    }

    private static ToolException unusable(String what) {
        return new ToolException("E_CHANGESET_WORKDIR", what)
                .suggestion("Remove what does not belong to the bundle, and try again.");
    }

    /// Removes a changeset; does nothing if there is none.
    void discard(String id) throws IOException {
        if (!ID.matcher(id).matches())
            return;
        try (HeldFolder root = root()) {
            root.delete(note(id));
            if (root.names(1_000).contains(Path.of(id)))
                delete(root, Path.of(id), 0);
        } catch (FileSystemException e) {
            if (!(e instanceof NoSuchFileException))
                throw e;
        }
    }

    private static void delete(HeldFolder in, Path name, int depth) throws IOException {
        if (in.attributes(name).isDirectory() && depth <= DEEPEST) {
            try (HeldFolder folder = in.folder(name)) {
                for (Path entry : folder.names(100_000))
                    delete(folder, entry, depth + 1);
            }
        }
        in.delete(name);
    }
}
