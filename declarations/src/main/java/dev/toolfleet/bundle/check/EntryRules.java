package dev.toolfleet.bundle.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.HostKind;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;

/// Checks `spec.entry` of Tools and Extensions: its target must exist inside the bundle or in the fleet.
final class EntryRules {
    private EntryRules() {}

    /// Returns true if a worker will run it.
    static boolean check(Place entry, Check check) {
        String kind = entry.resource().kind();
        return entry.text().map(EntryKind::parse).map(parsed -> check(parsed, entry, kind, check)).orElse(false);
    }

    private static boolean check(EntryKind parsed, Place entry, String kind, Check check) {
        Findings findings = check.findings();
        switch (parsed) {
            case EntryKind.Builtin builtin -> {
                if (!check.builtIns().entries(kind).contains(builtin.name())) {
                    findings.error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry,
                            "The fleet has no built-in " + kind + " '" + builtin.name() + "'.",
                            Nearest.hint(builtin.name(), check.builtIns().entries(kind),
                                    "There is: " + String.join(", ", new TreeSet<>(check.builtIns().entries(kind)))
                                            + "."));
                }
            }
            case EntryKind.JavaClass onClassPath -> {
                if (onClassPath.className().startsWith(EntryKind.OWN_TOOLS))
                    findings.error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry,
                            "The class " + onClassPath.className()
                                    + " is a built-in Tool's, and not loaded by its name.",
                            "Write builtin:NAME.");
                // Only a worker's class path can show the class.
            }
            case EntryKind.JarClass inJar -> {
                Path jar = check.bundle().folder().resolve(inJar.jar());
                if (!Files.isRegularFile(jar)) {
                    findings.error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry,
                            "The jar " + inJar.jar() + " does not exist in the bundle.",
                            "Build it first; the path is relative to the bundle's folder.");
                } else if (!holds(jar, inJar.className())) {
                    findings.error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry,
                            "The jar " + inJar.jar() + " has no class " + inJar.className() + ", or is no jar.",
                            "Name the class behind '#' as it is compiled, its package included, and build the jar.");
                }
            }
            case EntryKind.Script script -> script(script, entry, kind, check);
            case EntryKind.Malformed malformed -> findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, entry,
                    "The entry '" + malformed.text() + "' cannot be used: " + malformed.reason(),
                    "Write builtin:NAME, java:CLASS, ./lib/NAME.jar#CLASS, or the path of a script.");
        }
        return parsed.runnable();
    }

    /// True if the jar has the class. None of it runs; a worker finds its handlers later.
    private static boolean holds(Path jar, String className) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.getEntry(className.replace('.', '/') + ".class") != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static void script(EntryKind.Script script, Place entry, String kind, Check check) {
        Path folder = check.bundle().folder();
        boolean runs = kind.equals("Tool");
        if (!runs)
            check.findings().notice(ProblemCode.E_CONFIG_ENTRY_NOT_RUN, entry,
                    "The fleet does not run " + script.path() + ": it belongs to the agent runtime.",
                    "Extensions are java:CLASS, ./lib/NAME.jar#CLASS or builtin:NAME.");
        if (!exists(script.path(), folder)) {
            String problem = script.path() + " does not exist in the bundle.";
            String hint = "The path is relative to the bundle's folder.";
            if (runs)
                check.findings().error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry, problem, hint);
            else
                check.findings().warning(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry, problem, hint);
        } else if (runs && HostKind.of(runtime(entry), script.path()) == HostKind.PROCESS
                && !Files.isExecutable(folder.resolve(script.path()))) {
            check.findings().error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, entry,
                    script.path() + " is no executable file.",
                    "Make it one (chmod +x). JavaScript, TypeScript and Python are told by their endings.");
        }
    }

    private static Optional<String> runtime(Place entry) {
        return Optional.ofNullable(entry.resource().spec().path("runtime").stringValue(null));
    }

    /// True if the file exists. TypeScript may exist in its compiled form: beside it, or under `dist`.
    private static boolean exists(String path, Path folder) {
        String compiled = path.replaceAll("\\.([cm]?)tsx?$", ".$1js");
        String plain = Path.of(compiled).normalize().toString();
        return Stream.of(path, compiled, "dist/" + plain, "dist/" + plain.replaceFirst("^src/", ""))
                .anyMatch(candidate -> Files.exists(folder.resolve(candidate)));
    }
}
