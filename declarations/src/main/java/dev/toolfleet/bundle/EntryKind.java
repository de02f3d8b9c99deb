package dev.toolfleet.bundle;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Kind of an entry: the way to the code of a Tool or an Extension, read from `spec.entry`.
public sealed interface EntryKind {
    /// `builtin:bash`: ships with the fleet.
    record Builtin(String name) implements EntryKind {}

    /// The package of the built-in Tools' classes. No entry may name one of them: a built-in Tool has one entry,
    /// `builtin:NAME`, which policy and ceilings use.
    String OWN_TOOLS = "dev.toolfleet.worker.tools.";

    /// `java:com.acme.Builds`: a class on the worker's class path.
    record JavaClass(String className) implements EntryKind {}

    /// `./lib/acme.jar#com.acme.Builds`: a class in a jar of the bundle, in a class loader of its own.
    ///
    /// @param jar the path as it was written, relative to the bundle's folder
    record JarClass(String jar, String className) implements EntryKind {}

    /// JavaScript, TypeScript, Python or an executable, which a host runs ([HostKind]).
    ///
    /// @param path the path as it was written
    record Script(String path) implements EntryKind {}

    /// A malformed entry.
    ///
    /// @param reason a sentence that names the problem
    record Malformed(String text, String reason) implements EntryKind {}

    /// Returns the one form of an entry: every spelling of the same code has the same text.
    default String text() {
        return switch (this) {
            case Builtin builtin -> "builtin:" + builtin.name();
            case JavaClass java -> "java:" + java.className();
            case JarClass inJar -> inJar.jar() + "#" + inJar.className();
            case Script script -> script.path();
            case Malformed malformed -> malformed.text();
        };
    }

    /// True if a worker runs it.
    default boolean runnable() {
        return switch (this) {
            case Builtin b -> true;
            case JavaClass c -> true;
            case JarClass j -> true;
            case Script s -> true;
            case Malformed m -> false;
        };
    }

    /// Reads `spec.entry`.
    static EntryKind parse(String entry) {
        String text = entry.strip();
        if (text.isEmpty()) {
            return new Malformed(entry, "The entry is empty.");
        }
        if (text.startsWith("builtin:")) {
            String name = text.substring("builtin:".length());
            return name.isBlank() ? new Malformed(entry, "builtin: names no tool.") : new Builtin(name);
        }
        if (text.startsWith("java:")) {
            String name = text.substring("java:".length());
            return isClassName(name) ? new JavaClass(name) : noClass(entry, name);
        }
        Matcher jar = JAR.matcher(text);
        if (jar.matches()) {
            String name = jar.group(2);
            return inside(entry, jar.group(1),
                    path -> isClassName(name) ? new JarClass(path, name) : noClass(entry, name));
        }
        if (text.endsWith(".jar")) {
            return new Malformed(entry,
                    "A jar needs the handler's class after '#', as in ./lib/acme.jar#com.acme.Builds.");
        }
        return inside(entry, text, Script::new);
    }

    private static EntryKind inside(String entry, String path, Function<String, EntryKind> kind) {
        try {
            Path parsed = Path.of(path).normalize();
            if (!parsed.isAbsolute() && !parsed.startsWith("..") && !path.startsWith("~")) {
                return kind.apply(parsed.toString().replace('\\', '/'));
            }
            return new Malformed(entry,
                    "The path leaves the bundle; it is relative to the bundle's folder and stays inside.");
        } catch (InvalidPathException e) {
            return new Malformed(entry, "It is no path: " + e.getReason() + ".");
        }
    }

    private static Malformed noClass(String entry, String name) {
        return new Malformed(entry, "'" + name + "' is no class name such as com.acme.Builds.");
    }

    private static boolean isClassName(String text) {
        return CLASS_NAME.matcher(text).matches();
    }

    /// A jar and the class after its `#`.
    Pattern JAR = Pattern.compile("(.+\\.jar)#(.*)");

    /// A qualified class name, nested classes with `$`.
    Pattern CLASS_NAME = Pattern
            .compile(
                    "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*(\\.\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)*");
}
