package dev.toolfleet.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

        assertThat(BundleFiles.of(bundle)).isEqualTo(Map.of("lib/acme.jar", DIGEST_OF_ABC));
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
