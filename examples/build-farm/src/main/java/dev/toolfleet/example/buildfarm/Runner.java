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

/// The language of the build process. Both runners do the same and use the same topic. Only their Kafka clients differ,
/// in how they choose a key's partition.
enum Runner {
    /// [BuildMain], with the fleet's client library.
    @JsonProperty("java")
    JAVA {
        @Override
        Command command(String handle, Path folder, String brokers) throws IOException {
            // A short process starts sooner with the simplest collector and compiler.
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

    /// Command of a build process.
    ///
    /// @param words the program and its arguments
    /// @param environment variables beside those of every build
    record Command(List<String> words, Map<String, String> environment) {}

    /// Returns the command that builds the sources in `folder` and completes `handle`.
    abstract Command command(String handle, Path folder, String brokers) throws IOException;

    /// Returns this worker's class path, which has the client library, and a copy of this module's jar. A worker keeps
    /// a bundle's jar only while it uses it; a build may take longer.
    private static String classPath(Path folder) throws IOException {
        // Absolute names: they may be relative to the folder in which the worker was started.
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
