package dev.toolfleet.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BundleFilesTest {
    private static final String DIGEST_OF_ABC = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path folder;

    @Test
    void eachJarIsListedOnceWithItsDigest() throws IOException {
        Files.createDirectory(folder.resolve("lib"));
        Files.writeString(folder.resolve("lib/acme.jar"), "abc");
        Bundle bundle = new Bundle(folder, List.of(resource("Tool", "a", "./lib/acme.jar#a.B"),
                resource("Extension", "b", "lib/../lib/acme.jar#a.C"), resource("Tool", "c", "java:a.B"),
                resource("Connector", "d", "./other.jar#a.B")));

        Map<String, String> jar = Map.of("lib/acme.jar", DIGEST_OF_ABC);
        assertThat(BundleFiles.of(bundle)).containsExactly(new TreeMap<>(jar), new TreeMap<>(jar), new TreeMap<>(),
                new TreeMap<>());
    }

    @Test
    void aToolInAnotherLanguageHasAllCodeOfTheBundle() throws IOException {
        for (String file : List.of("tools/a.mjs", "lib/b.JSON", "bin/run", "goondan.yaml", ".git/c.js", "lib/.d.js",
                "target/e.js", "lib/__pycache__/f.py")) {
            Files.createDirectories(folder.resolve(file).getParent());
            Files.writeString(folder.resolve(file), "abc");
        }
        Bundle bundle = new Bundle(folder, List.of(resource("Tool", "a", "./tools/a.mjs"),
                resource("Tool", "b", "bin/run"), resource("Extension", "c", "./tools/a.mjs")));

        assertThat(BundleFiles.of(bundle)).containsExactly(
                new TreeMap<>(Map.of("tools/a.mjs", DIGEST_OF_ABC, "lib/b.JSON", DIGEST_OF_ABC)),
                new TreeMap<>(Map.of("tools/a.mjs", DIGEST_OF_ABC, "lib/b.JSON", DIGEST_OF_ABC, "bin/run",
                        DIGEST_OF_ABC)),
                new TreeMap<>());
    }

    @Test
    void aFolderWithTooManyFilesIsRefusedWithTheWayOut() throws IOException {
        for (int i = 0; i <= BundleFiles.MOST; i++)
            Files.writeString(folder.resolve(i + ".js"), "");
        Bundle bundle = new Bundle(folder, List.of(resource("Tool", "a", "./1.js")));

        assertThatThrownBy(() -> BundleFiles.of(bundle)).hasMessageContaining("2000")
                .hasMessageContaining("into one file");
    }

    @Test
    void aMissingJarIsNamed() {
        Bundle bundle = new Bundle(folder, List.of(resource("Tool", "a", "./none.jar#a.B")));

        assertThatThrownBy(() -> BundleFiles.of(bundle)).isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none.jar");
    }

    private static Resource resource(String kind, String name, String entry) {
        ObjectNode resource = JsonMapper.builder().build().createObjectNode();
        resource.put("kind", kind).putObject("metadata").put("name", name);
        resource.putObject("spec").put("entry", entry);
        return Resource.of(resource);
    }
}
