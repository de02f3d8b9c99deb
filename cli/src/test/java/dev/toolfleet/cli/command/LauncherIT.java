package dev.toolfleet.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The script `toolfleet` around a JDK that is none: it notes its starts and ends as it is told.
class LauncherIT {
    private static final Path LAUNCHER = Path.of("..", "toolfleet").toAbsolutePath().normalize();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void makeJdk() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        Files.writeString(folder.resolve("none.jar"), "");
        executable(bin.resolve("javac"), "#!/bin/sh\n");
    }

    @Test
    void aWorkerThatEndsWith75IsStartedAgainAndWithAnythingElseItEnds() throws Exception {
        java("[ \"$(wc -l < starts)\" -lt 3 ] && exit 75; exit 4");

        Process launcher = launch("worker", "--config", "a b.yaml");

        assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(launcher.exitValue()).isEqualTo(4);
        assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(3)
                .allSatisfy(start -> assertThat(start).endsWith("worker --config a b.yaml"));
    }

    @Test
    void anyOtherCommandThatEndsWith75HasEnded() throws Exception {
        java("exit 75");

        Process launcher = launch("demo");

        assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(launcher.exitValue()).isEqualTo(75);
        assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(1);
    }

    @Test
    void theCacheOfTheJarIsUsedWhenThereIsOne() throws Exception {
        java("exit 0");
        launch("validate").waitFor(60, TimeUnit.SECONDS);
        Path cache = Files.writeString(folder.resolve("none.aot"), "");

        launch("validate").waitFor(60, TimeUnit.SECONDS);

        List<String> starts = Files.readAllLines(folder.resolve("starts"));
        assertThat(starts).hasSize(2);
        assertThat(starts.get(0)).doesNotContain("-XX:AOTCache");
        assertThat(starts.get(1)).contains(" -XX:AOTCache=" + cache + " ", " -Xlog:aot*=off ");
    }

    @Test
    void benchRunsFromItsOwnJarBehindTheOtherWhereThereIsOne() throws Exception {
        java("exit 0");
        launch("bench", "drain").waitFor(60, TimeUnit.SECONDS);
        Path bench = Files.writeString(folder.resolve("none-bench.jar"), "");

        launch("--log-format", "json", "-v", "bench", "drain").waitFor(60, TimeUnit.SECONDS);
        launch("validate", "bench").waitFor(60, TimeUnit.SECONDS);

        Path jar = folder.resolve("none.jar");
        assertThat(Files.readAllLines(folder.resolve("starts"))).satisfiesExactly(
                without -> assertThat(without).endsWith(" -jar " + jar + " bench drain"),
                with -> assertThat(with).endsWith(" -cp " + jar + ":" + bench
                        + " dev.toolfleet.bench.command.BenchMain --log-format json -v bench drain"),
                other -> assertThat(other).endsWith(" -jar " + jar + " validate bench"));
    }

    @Test
    void aSignalReachesTheWorkerAndTheLauncherWaitsForItsEnd() throws Exception {
        java("trap 'echo drained >> starts; exit 75' TERM", "while :; do sleep 0.1; done");
        Process launcher = launch("worker");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(folder.resolve("starts")));

        launcher.destroy();

        assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(2).last().isEqualTo("drained");
    }

    // Otherwise: a command of a clone takes minutes, and shows nothing.
    @Test
    void noCommandOfACloneButTheDemoBuildsUnasked() throws Exception {
        java("exit 0");
        Path clone = aClone();

        for (String command : List.of("--version", "validate", "bench"))
            assertThat(ofClone(1, command)).as(command).contains("is not built yet", "toolfleet build")
                    .doesNotContain("building");

        Files.writeString(Files.createDirectories(clone.resolve("cli/target")).resolve("toolfleet.jar"), "");
        assertThat(ofClone(1, "bench")).contains("bench/target/toolfleet-bench.jar is not built yet");
        assertThat(ofClone(0, "--version")).isEmpty();
        assertThat(ofClone(0, "validate")).contains("examples/hello/lib/hello.jar is missing",
                "this runs what is built");
        assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(2);
    }

    @Test
    void theDemoOfAFreshCloneBuildsAndASecondBuildHasNothingToDo() throws Exception {
        java("exit 0");
        Path clone = aClone();
        executable(Files.createDirectories(folder.resolve("bin")).resolve("mvn"), """
                #!/bin/sh
                echo '[INFO] Building Toolfleet contracts 0.1.0           [1/2]'
                echo '[INFO] Compiling'
                mkdir -p cli/target bench/target examples/hello/lib examples/build-farm/lib
                touch cli/target/toolfleet.jar bench/target/toolfleet-bench.jar
                touch examples/hello/lib/hello.jar examples/build-farm/lib/build-farm.jar
                echo "[INFO] BUILD ${RESULT:-SUCCESS}"
                """);

        assertThat(ofClone(0, "demo")).contains("toolfleet: Building Toolfleet contracts 0.1.0 [1/2]")
                .doesNotContain("Compiling");
        assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(1);
        assertThat(ofClone(0, "build")).contains("nothing is to be built");
        assertThat(ofClone(0, "validate")).isEmpty();

        Files.setLastModifiedTime(clone.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(ofClone(0, "validate")).contains("pom.xml is newer than cli/target/toolfleet.jar");
        executable(folder.resolve("bin/mvn"), "#!/bin/sh\necho '[ERROR] no such module'\nexit 1\n");
        assertThat(ofClone(1, "build")).contains("no such module", "the build failed");
    }

    private Path aClone() throws IOException {
        Path clone = Files.createDirectories(folder.resolve("clone"));
        Files.copy(LAUNCHER, clone.resolve("toolfleet"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(clone.resolve("pom.xml"), "<project/>");
        return clone;
    }

    /// Returns the output of a clone's launcher, with the `mvn` in `bin`.
    private String ofClone(int exit, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(folder.resolve("clone/toolfleet").toString())
                .directory(folder.toFile()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().remove("TOOLFLEET_JAR");
        Process launcher = builder.start();
        String said = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(launcher.waitFor()).as(said).isEqualTo(exit);
        return said;
    }

    private Process launch(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString()).directory(folder.toFile()).inheritIO();
        builder.command().addAll(List.of(arguments));
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("TOOLFLEET_JAR", folder.resolve("none.jar").toString());
        return builder.start();
    }

    private void java(String end) throws IOException {
        java("", end);
    }

    /// @param first what it does before it notes its start
    private void java(String first, String end) throws IOException {
        executable(folder.resolve("jdk/bin/java"), "#!/bin/sh\n" + first + "\necho \"$*\" >> starts\n" + end + "\n");
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
