package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.git.Folders;
import dev.toolfleet.publishing.git.GitException;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.tool.ToolException;
import tools.jackson.core.JacksonException;

/// Folders of the open changesets of one instance: `.changesets/ID` in its workdir, with `.changesets/ID.json` beside.
/// Everything there is the agent's to write, so nothing that is read here is trusted.
final class Workdirs {
    /// The most open changesets of an instance.
    static final int MOST_OPEN = 10;
    private static final String FOLDER = ".changesets";
    private static final Pattern ID = Pattern.compile("cs-[0-9]{1,12}-[0-9a-f]{8}");
    private static final long MOST_BYTES = 4L << 20;

    private final Path workdir;
    private final Path root;

    /// @param workdir the instance's folder
    Workdirs(Path workdir) {
        this.workdir = workdir;
        root = workdir.resolve(FOLDER);
    }

    /// Returns the folder of a changeset.
    Path folder(String id) {
        return root.resolve(id);
    }

    /// Puts the files there at once, or not at all.
    void create(OpenChangeset changeset, GitRepository git, SortedMap<String, GitFile> files)
            throws IOException, GitException {
        Files.createDirectories(root);
        refuseLinks();
        Path made = Files.createTempDirectory(root, "new-");
        try {
            git.copyTo(made, files);
            Files.write(root.resolve(changeset.changesetId() + ".json"), Json.MAPPER.writeValueAsBytes(changeset));
            Files.move(made, folder(changeset.changesetId()), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(made);
        }
    }

    private void refuseLinks() throws IOException {
        Path real = root.toRealPath();
        if (!real.equals(workdir.toRealPath().resolve(FOLDER)))
            throw new ToolException("E_CHANGESET_WORKDIR",
                    "The folder " + FOLDER + " of the working directory is a link"
                            + " to another place.")
                    .suggestion("Remove the link, and open the changeset again.");
    }

    /// Returns the open changeset of that id; empty for none.
    Optional<OpenChangeset> find(String id) throws IOException {
        if (!ID.matcher(id).matches() || !Files.isDirectory(folder(id), LinkOption.NOFOLLOW_LINKS))
            return Optional.empty();
        refuseLinks();
        Path file = root.resolve(id + ".json");
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            OpenChangeset read = Json.MAPPER.readValue(in, OpenChangeset.class);
            return read.changesetId().equals(id) ? Optional.of(read) : Optional.empty();
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }

    /// Returns the open changesets, the oldest first.
    List<OpenChangeset> list() throws IOException {
        if (!Files.isDirectory(root))
            return List.of();
        List<OpenChangeset> open = new ArrayList<>();
        try (Stream<Path> paths = Files.list(root)) {
            for (Path path : paths.sorted().toList())
                find(String.valueOf(path.getFileName())).ifPresent(open::add);
        }
        return open;
    }

    /// Reads the files of a changeset, and keeps their content in the repository's copy.
    ///
    /// @throws ToolException when they are too many, or one is too large
    SortedMap<String, GitFile> read(String id, GitRepository git) throws IOException, GitException {
        Path folder = folder(id);
        List<Path> paths = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                if (!attributes.isOther())
                    paths.add(path);
                return paths.size() > BundleFiles.MOST ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }
        });
        if (paths.size() > BundleFiles.MOST)
            throw tooMuch("The changeset " + id + " has more than " + BundleFiles.MOST + " files.");
        SortedMap<String, GitFile> files = new TreeMap<>();
        for (Path path : paths)
            files.put(folder.relativize(path).toString().replace('\\', '/'), file(path, git));
        return files;
    }

    private static GitFile file(Path path, GitRepository git) throws IOException, GitException {
        if (Files.isSymbolicLink(path))
            return new GitFile(git.insert(Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8)),
                    GitFile.Type.LINK);
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes((int) MOST_BYTES + 1);
            if (content.length > MOST_BYTES)
                throw tooMuch("The file " + path.getFileName() + " of the changeset has more than " + MOST_BYTES
                        + " bytes.");
            return new GitFile(git.insert(content),
                    Files.isExecutable(path) ? GitFile.Type.EXECUTABLE : GitFile.Type.REGULAR);
        }
    }

    private static ToolException tooMuch(String what) {
        return new ToolException("E_CHANGESET_WORKDIR", what)
                .suggestion("Remove what does not belong to the bundle, and try again.");
    }

    /// Removes a changeset; does nothing if there is none.
    void discard(String id) throws IOException {
        if (!ID.matcher(id).matches() || !Files.isDirectory(root))
            return;
        refuseLinks();
        Folders.delete(folder(id));
        Files.deleteIfExists(root.resolve(id + ".json"));
    }
}
