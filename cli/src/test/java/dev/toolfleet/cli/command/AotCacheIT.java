package dev.toolfleet.cli.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet aot-cache` with the executable jar, and JVMs that use what it made.
@Tag("slow")
class AotCacheIT {
    private static final List<String> MODULES = List.of("--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    @TempDir
    private Path folder = Path.of("");

    private record Ended(int code, String output) {}

    @Test
    void aJvmCanUseWhatItMadeAndSaysNothingWhenItCannot() throws Exception {
        Path jar = folder.resolve("fleet.jar");
        Files.copy(Path.of("target/toolfleet.jar"), jar);

        Ended made = java(List.of(), jar, "aot-cache");

        Path cache = folder.resolve("fleet.aot");
        assertThat(made.code()).as(made.output()).isZero();
        assertThat(made.output()).contains(cache.toString());
        assertThat(cache).isNotEmptyFile();
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(jar, cache);
        }

        // A JVM that must use it ends when it cannot.
        Ended used = java(List.of("-XX:AOTMode=on", "-Xlog:aot*=off", "-XX:AOTCache=" + cache), jar,
                "--version");
        assertThat(used).isEqualTo(new Ended(0, used.output())).satisfies(
                ended -> assertThat(ended.output().lines()).hasSize(1));

        Path other = folder.resolve("other.jar");
        Files.copy(Path.of("target/toolfleet.jar"), other);
        Ended without = java(List.of("-Xlog:aot*=off", "-XX:AOTCache=" + cache), other, "--version");
        assertThat(without).isEqualTo(used);
    }

    private static Ended java(List<String> flags, Path jar, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(MODULES);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output);
    }
}
