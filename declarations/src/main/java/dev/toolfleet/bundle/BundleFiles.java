package dev.toolfleet.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.json.Digests;
import tools.jackson.databind.node.ObjectNode;

/// Files of a bundle that its code consists of, each with the digest of its content: `lib/acme.jar` → `sha256:…`.
///
/// An entry in a jar has that jar. An entry in another language has all code and data of the bundle, since a module may
/// import and read any of it: the files with one of [#ENDINGS], but for hidden files and the folders [#LEFT_OUT].
public final class BundleFiles {
    /// The endings of files that belong to code in other languages than Java.
    public static final Set<String> ENDINGS = Set.of("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "json",
            "wasm", "py", "sh", "txt", "md", "html", "css", "sql", "csv", "xml", "svg");
    /// Folders whose files do not belong to it.
    public static final Set<String> LEFT_OUT = Set.of("target", "__pycache__");
    /// The most files of one bundle.
    public static final int MOST = 2_000;
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path folder;
    private final Map<String, String> digests = new HashMap<>();
    private SortedSet<String> code = new TreeSet<>();

    private BundleFiles(Path folder) {
        this.folder = folder;
    }

    /// Returns the files of each resource, in the bundle's order. Each file is read once.
    ///
    /// @throws IOException when one is missing or cannot be read, or there are more than [#MOST]
    public static List<SortedMap<String, String>> of(Bundle bundle) throws IOException {
        BundleFiles files = new BundleFiles(bundle.folder());
        List<SortedMap<String, String>> ofEach = new ArrayList<>();
        for (Resource resource : bundle.resources())
            ofEach.add(files.of(resource.document()));
        return ofEach;
    }

    /// Returns the paths of all files, in the bundle's folder.
    ///
    /// @throws IOException when the folder cannot be read, or there are more than [#MOST]
    public static SortedSet<String> paths(Bundle bundle) throws IOException {
        BundleFiles files = new BundleFiles(bundle.folder());
        SortedSet<String> paths = new TreeSet<>();
        for (Resource resource : bundle.resources())
            paths.addAll(files.paths(resource.document()));
        return paths;
    }

    private SortedMap<String, String> of(ObjectNode resource) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        for (String path : paths(resource)) {
            String digest = digests.get(path);
            if (digest == null) {
                digest = digest(folder.resolve(path));
                digests.put(path, digest);
            }
            files.put(path, digest);
        }
        return files;
    }

    private SortedSet<String> paths(ObjectNode resource) throws IOException {
        String kind = ResourceJson.kind(resource);
        String entry = resource.path("spec").path("entry").stringValue("");
        if (!kind.equals(Kinds.TOOL) && !kind.equals(Kinds.EXTENSION))
            return new TreeSet<>();
        EntryKind parsed = EntryKind.parse(entry);
        if (parsed instanceof EntryKind.JarClass jar)
            return new TreeSet<>(Set.of(jar.jar()));
        if (!(parsed instanceof EntryKind.Script script) || !kind.equals(Kinds.TOOL))
            return new TreeSet<>();
        SortedSet<String> paths = new TreeSet<>(code());
        if (Files.exists(folder.resolve(script.path())))
            paths.add(script.path());
        return paths;
    }

    private SortedSet<String> code() throws IOException {
        if (code.isEmpty())
            code = code(folder);
        return code;
    }

    private static SortedSet<String> code(Path folder) throws IOException {
        SortedSet<String> paths = new TreeSet<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                String name = path.getFileName().toString();
                return !path.equals(folder) && (name.startsWith(".") || LEFT_OUT.contains(name))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                String name = path.getFileName().toString();
                String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
                if (attributes.isRegularFile() && !name.startsWith(".") && ENDINGS.contains(ending))
                    paths.add(folder.relativize(path).toString().replace('\\', '/'));
                if (paths.size() > MOST)
                    throw new IOException("the folder has more than " + MOST + " files of code and data; bundle the"
                            + " dependencies of the handlers into one file, or move other things out of the folder");
                return FileVisitResult.CONTINUE;
            }
        });
        return paths;
    }

    /// The digest of a file's content, as records carry it.
    ///
    /// @throws IOException when it cannot be read
    public static String digest(Path file) throws IOException {
        MessageDigest sha256 = Digests.newSha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sha256.update(buffer, 0, read);
            }
        }
        return Digests.of(sha256.digest());
    }
}
