package dev.toolfleet.cli.init;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.publishing.apply.BundleCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class NewBundleIT {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void everythingButTheJarIsValid() throws IOException {
        Path bundle = folder.resolve("My Tools");

        List<Path> files = NewBundle.create(bundle, BundleLanguage.JAVA);

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

    @ParameterizedTest
    @EnumSource
    void nothingIsLeftToFillIn(BundleLanguage language) throws IOException {
        for (Path file : NewBundle.create(folder.resolve("x"), language))
            assertThat(Files.readString(folder.resolve("x").resolve(file))).doesNotContain("@name@")
                    .doesNotContain("@entry@").doesNotContain("@version@").doesNotContain("@junit@")
                    .doesNotContain("${project.version}");
    }

    @ParameterizedTest
    @EnumSource(names = "JAVA", mode = EnumSource.Mode.EXCLUDE)
    void bundlesOfOtherLanguagesAreValidAsTheyAre(BundleLanguage language) {
        Path bundle = folder.resolve("texts");

        NewBundle.create(bundle, language);

        assertThat(BundleCheck.check(bundle).problems()).isEmpty();
    }

    @Test
    void testsOfAPythonBundlePass() throws Exception {
        if (!"required".equals(System.getenv("SANDBOX_TESTS")))
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "python3 is not installed");
        NewBundle.create(folder.resolve("x"), BundleLanguage.PYTHON);

        assertPasses(folder.resolve("x/tools"), "/usr/bin/python3", "-m", "unittest");
    }

    @Test
    void testsOfAJavaScriptBundlePass() throws Exception {
        NewBundle.create(folder.resolve("x"), BundleLanguage.JAVASCRIPT);

        assertPasses(folder.resolve("x"), "node", "--test");
    }

    private static void assertPasses(Path folder, String... tests) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(tests).directory(folder.toFile()).redirectErrorStream(true).start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(report).isZero();
        assertThat(report).containsAnyOf("Ran 2 tests", "# pass 2");
    }

    @Test
    void existingFilesAreLeftAlone() throws IOException {
        Files.writeString(folder.resolve("pom.xml"), "mine");

        assertThatThrownBy(() -> NewBundle.create(folder, BundleLanguage.JAVA)).isInstanceOf(Failure.class)
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
