package dev.toolfleet.embedded.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The AOT cache (JEP 483, 514 and 515) that belongs to an executable jar: classes as they are once loaded and linked, and
/// how often their methods ran, so that a JVM neither reads the one nor counts the other again. It lies beside its jar,
/// `toolfleet.aot` beside `toolfleet.jar`, where the launcher looks for it. A JVM uses it with the same jar, Java and kind
/// of processor only, and does without it otherwise.
///
/// @param jar that it was made for
/// @param file where it is, or is to be
public record AotCache(Path jar, Path file) {
    private static final String JAR = ".jar";
    /// A JVM says on standard output why it does without a cache.
    private static final List<String> SILENT = List.of("-Xlog:aot*=off");
    private static final List<String> OPTIONS = List.of("-XX:AOT", "-XX:SharedArchiveFile");

    /// That of the first jar on this JVM's class path; empty when it runs from folders. A JVM uses a cache also with
    /// more jars behind the one that the cache was made for.
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

    /// Whether it is there.
    public boolean exists() {
        return Files.isRegularFile(file);
    }

    /// What makes a JVM use it.
    public List<String> use() {
        List<String> flags = new ArrayList<>(SILENT);
        flags.add("-XX:AOTCache=" + file);
        return flags;
    }

    /// Whether flags of a JVM already say what it does with such a cache.
    public static boolean isDecidedBy(List<String> flags) {
        return flags.stream().anyMatch(flag -> OPTIONS.stream().anyMatch(flag::startsWith));
    }

    /// What makes a JVM write, when it ends, what it learned.
    ///
    /// @param learned the file
    public static List<String> learn(Path learned) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + learned);
    }

    /// What makes a JVM write a cache and end.
    ///
    /// @param learned what another one wrote
    /// @param made the file of the cache
    public static List<String> make(Path learned, Path made) {
        return List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + learned, "-XX:AOTCache=" + made);
    }
}
