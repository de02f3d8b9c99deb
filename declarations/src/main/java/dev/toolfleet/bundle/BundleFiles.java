package dev.toolfleet.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.json.Digests;
import tools.jackson.databind.node.ObjectNode;

/// The jars that a bundle's entries name, each with the digest of its content: `lib/acme.jar` → `sha256:…`.
public final class BundleFiles {
    private static final int BUFFER_BYTES = 1 << 16;

    private BundleFiles() {}

    /// The files of a whole bundle, each read once.
    ///
    /// @throws IOException when one is missing or cannot be read
    public static SortedMap<String, String> of(Bundle bundle) throws IOException {
        return digests(bundle.folder(), bundle.resources().stream().map(Resource::document).toList());
    }

    /// The files that these resources name, relative to the folder.
    ///
    /// @throws IOException if one is missing or cannot be read
    public static SortedMap<String, String> digests(Path folder, List<ObjectNode> resources) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        for (ObjectNode resource : resources) {
            Optional<String> jar = jar(resource);
            if (jar.isPresent() && !digests.containsKey(jar.get())) {
                digests.put(jar.get(), digest(folder.resolve(jar.get())));
            }
        }
        return digests;
    }

    /// The jar that a resource's entry names, relative to the bundle's folder, normalised and with `/`.
    public static Optional<String> jar(ObjectNode resource) {
        boolean hasEntry = ResourceJson.kind(resource).equals(Kinds.TOOL)
                || ResourceJson.kind(resource).equals(Kinds.EXTENSION);
        String entry = hasEntry ? resource.path("spec").path("entry").stringValue("") : "";
        return EntryKind.parse(entry) instanceof EntryKind.JarClass jar
                ? Optional.of(jar.jar())
                : Optional.empty();
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
