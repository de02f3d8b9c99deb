package dev.toolfleet.example.buildfarm;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What the build process is written in. Both do the same and speak to the same topic; only their Kafka clients differ,
/// in how they place keys for one thing.
enum Runner {
    /// [BuildMain], with the fleet's client library.
    @JsonProperty("java")
    JAVA {
        @Override
        Command command(String handle, Path folder, String brokers) throws IOException {
            // What a person waits for starts sooner with the simplest collector and compiler.
            return new Command(List.of(Jdk.tool("java"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                    BuildMain.class.getName(), handle, folder.toString(), brokers),
                    Map.of("CLASSPATH", classPath(folder)));
        }
    },
    /// `build.py`, with the client that Debian has for Python.
    @JsonProperty("python")
    PYTHON {
        @Override
        Command command(String handle, Path folder, String brokers) throws IOException {
            Path script = Checkout.file("build.py", folder.resolve("build.py"));
            String python = System.getenv().getOrDefault("BUILD_FARM_PYTHON", "python3");
            return new Command(List.of(python, script.toString(), handle, folder.toString(), brokers), Map.of());
        }
    };

    /// What is started.
    ///
    /// @param words the program and its arguments
    /// @param environment beside what every build has
    record Command(List<String> words, Map<String, String> environment) {}

    /// The command that builds what lies in `folder` and completes `handle`.
    abstract Command command(String handle, Path folder, String brokers) throws IOException;

    /// This worker's class path, on which the client library is, and this module's jar. A worker keeps the jar of a
    /// bundle for as long as it uses it; a build may take longer, and gets a copy.
    private static String classPath(Path folder) throws IOException {
        // Absolute: it may name jars from where the worker was started.
        List<Path> entries = new ArrayList<>(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath()).toList());
        try {
            Path own = Path.of(Runner.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (!entries.contains(own))
                entries.add(Files.isRegularFile(own) ? Files.copy(own, folder.resolve("farm.jar")) : own);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
