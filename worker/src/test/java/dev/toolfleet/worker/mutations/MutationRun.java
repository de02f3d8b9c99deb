package dev.toolfleet.worker.mutations;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

/// Plants one mutation at a time: compiles its class into a folder of its own, which goes before all others on the class
/// path of a [MutationTrial].
final class MutationRun {
    private static final String TESTS = "src/test/java";
    /// Without a sign of life, however slow the machine is.
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Path folder;
    private final int seeds;
    private final String classPath = System.getProperty("java.class.path");

    /// @param folder for the changed classes
    /// @param seeds the number of worlds that are searched
    MutationRun(Path folder, int seeds) {
        this.folder = folder;
        this.seeds = seeds;
    }

    /// Returns the first finding, or an empty text for none.
    String of(Mutation mutation) throws IOException, InterruptedException {
        Path place = folder.resolve(mutation.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"));
        Path classes = Files.createDirectories(place.resolve("classes"));
        compile(mutation, Files.createDirectories(place.resolve("source")), classes);
        Path output = place.resolve("output.txt");
        Process trial = new ProcessBuilder(command(mutation, classes)).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        while (!trial.waitFor(1, TimeUnit.SECONDS)) {
            Instant alive = Files.getLastModifiedTime(output).toInstant();
            if (alive.plus(LONGEST).isBefore(Instant.now())) {
                trial.destroyForcibly();
                return "a test or a world does not end";
            }
        }
        return Files.readAllLines(output).stream().filter(line -> line.startsWith(MutationTrial.ANSWER)).findFirst()
                .map(line -> line.substring(MutationTrial.ANSWER.length()).trim())
                .orElseThrow(() -> new IllegalStateException(
                        "mutation '" + mutation.name() + "': its trial gave no answer, see " + output));
    }

    private void compile(Mutation mutation, Path sources, Path classes) throws IOException {
        Path file = sources.resolve(Path.of(mutation.file()).getFileName());
        Files.writeString(file, mutation.applied(MutationTable.source(mutation)));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int exit = compiler.run(null, null, null, "-proc:none", "-nowarn", "-Xlint:none", "-parameters", "-d",
                classes.toString(), "-cp", classPath, file.toString());
        if (exit != 0)
            throw new IllegalStateException("mutation '" + mutation.name() + "' does not compile: " + file);
    }

    private List<String> command(Mutation mutation, Path classes) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-XX:+EnableDynamicAgentLoading", "-cp", classes + File.pathSeparator + classPath,
                MutationTrial.class.getName(), String.valueOf(seeds)));
        mutation.tests().forEach(test -> command.add(String.valueOf(testClass(test))));
        return command;
    }

    /// The full name of a test class; null when there is none.
    static @Nullable String testClass(String simpleName) {
        return MutationTable.MODULES.stream().map(module -> testClass(module.resolve(TESTS), simpleName))
                .filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static @Nullable String testClass(Path tests, String simpleName) {
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.endsWith(simpleName + ".java")).findFirst()
                    .map(file -> tests.relativize(file).toString()).map(name -> name
                            .substring(0, name.length() - ".java".length()).replace(File.separatorChar, '.'))
                    .orElse(null);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
