package dev.toolfleet.cli.init;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.cli.bundle.BundleCheck;
import dev.toolfleet.cli.terminal.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NewBundleIT {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void everythingButTheJarIsValid() throws IOException {
        Path bundle = folder.resolve("My Tools");

        List<Path> files = NewBundle.create(bundle);

        assertThat(files).contains(Path.of("pom.xml"), Path.of("toolfleet.yaml"),
                Path.of("src/test/java/example/TextToolsTest.java"));
        assertThat(BundleCheck.check(bundle).problems()).extracting(BundleProblem::message)
                .allMatch(message -> message.contains("my-tools.jar does not exist"));
        Path jar = Files.createDirectories(bundle.resolve("target")).resolve("my-tools.jar");
        try (JarOutputStream classes = new JarOutputStream(Files.newOutputStream(jar))) {
            classes.putNextEntry(new ZipEntry("example/TextTools.class"));
            classes.closeEntry();
        }
        assertThat(BundleCheck.check(bundle).problems()).isEmpty();
    }

    @Test
    void nothingIsLeftToFillIn() throws IOException {
        for (Path file : NewBundle.create(folder.resolve("x")))
            assertThat(Files.readString(folder.resolve("x").resolve(file))).doesNotContain("@name@")
                    .doesNotContain("@version@").doesNotContain("@junit@").doesNotContain("${project.version}");
    }

    @Test
    void existingFilesAreLeftAlone() throws IOException {
        Files.writeString(folder.resolve("pom.xml"), "mine");

        assertThatThrownBy(() -> NewBundle.create(folder)).isInstanceOf(Failure.class)
                .hasMessageContaining("pom.xml is there already");
        assertThat(folder.resolve("toolfleet.yaml")).doesNotExist();
        assertThat(folder.resolve("pom.xml")).hasContent("mine");
    }

    @Test
    void theNameComesFromTheFolder() {
        assertThat(NewBundle.name(Path.of("/a/My Tools!"))).isEqualTo("my-tools");
        assertThat(NewBundle.name(Path.of("/a/42-things"))).isEqualTo("things");
        assertThat(NewBundle.name(Path.of("/"))).isEqualTo("my-tools");
    }
}
