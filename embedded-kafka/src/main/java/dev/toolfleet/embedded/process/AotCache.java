package dev.toolfleet.embedded.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The AOT cache (JEP 483 and 514) of an executable jar: loaded and linked classes. A JVM with a cache does not load the
/// classes again.
///
/// **Why.** It has no profiles of methods (JEP 515). With them, methods wait in the interpreter for C2, whose queue is
/// full while a worker gets warm (docs/performance.md).
///
/// The cache lies beside its jar, `toolfleet.aot` beside `toolfleet.jar`, where the launcher finds it. A JVM uses it
/// only with the same jar, Java and kind of processor, and otherwise starts without it.
///
/// @param jar the jar that the cache was made for
/// @param file the cache's file, which may not exist yet
public record AotCache(Path jar, Path file) {
    private static final String JAR = ".jar";
    /// Flags against the JVM's message on standard output about a missing cache.
    private static final List<String> SILENT = List.of("-Xlog:aot*=off");
    private static final List<String> OPTIONS = List.of("-XX:AOT", "-XX:SharedArchiveFile");

    /// Returns the cache of the first jar on this JVM's class path; empty when it runs from folders. A JVM also uses a
    /// cache with more jars behind the one that the cache was made for.
    public static Optional<AotCache> ofThisJvm() {
        return ofClassPath(System.getProperty("java.class.path", ""));
    }

    static Optional<AotCache> ofClassPath(String classPath) {
        List<String> entries = List.of(classPath.split(File.pathSeparator, -1));
        return entries.stream().allMatch(entry -> entry.endsWith(JAR))
                ? Optional.of(of(Path.of(entries.getFirst()).toAbsolutePath()))
                : Optional.empty();
    }

    static AotCache of(Path jar) {
        String name = jar.getFileName().toString();
        return new AotCache(jar, jar.resolveSibling(name.substring(0, name.length() - JAR.length()) + ".aot"));
    }

    /// True if the file exists.
    public boolean exists() {
        return Files.isRegularFile(file);
    }

    /// Returns the flags with which a JVM uses the cache.
    public List<String> use() {
        List<String> flags = new ArrayList<>(SILENT);
        flags.add("-XX:AOTCache=" + file);
        return flags;
    }

    /// True if the flags of a JVM already decide about such a cache.
    public static boolean isDecidedBy(List<String> flags) {
        return flags.stream().anyMatch(flag -> OPTIONS.stream().anyMatch(flag::startsWith));
    }

    /// Returns the flags with which a JVM writes what it learned when it ends.
    ///
    /// @param learned the file
    public static List<String> learn(Path learned) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + learned, "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining");
    }

    /// Returns the flags with which a JVM writes a cache and ends.
    ///
    /// @param learned what another JVM learned
    /// @param made the file of the cache
    public static List<String> make(Path learned, Path made) {
        return List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + learned, "-XX:AOTCache=" + made);
    }
}
