package dev.toolfleet.loading;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Map;
import java.util.function.Function;

import dev.toolfleet.bundle.BundleName;
import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.json.Digests;

/// Makes modules from classes on the class path and from jars of a bundle. Each jar gets a class loader of its own that
/// also sees the fleet's classes.
///
/// **Contract.** A jar must be in its bundle's folder and have the SHA-256 that was applied. So a record on
/// `tool.resource` can only choose among the files that an operator has placed for that bundle.
public final class JvmModules {
    private final Function<String, Path> folders;

    /// @param folders the folder of a bundle's files
    public JvmModules(Function<String, Path> folders) {
        this.folders = folders;
    }

    /// A new module of a class on the class path.
    public <M> M fromClassPath(EntryKind.JavaClass entry, Class<M> type) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return make(entry.className(), loader == null ? JvmModules.class.getClassLoader() : loader, type,
                "is not on this process's class path; add its jar with --classpath");
    }

    /// A new module of a class in a jar of a bundle.
    ///
    /// @param files digests of the bundle's files, by their path
    public <M> M fromJar(String bundle, EntryKind.JarClass entry, Map<String, String> files, Class<M> type) {
        if (!BundleName.isValid(bundle))
            throw new ModuleLoadException("no files are loaded for '" + bundle + "', which is no name of a bundle");
        String path = Path.of(entry.jar()).normalize().toString();
        String expected = files.get(path);
        if (expected == null)
            throw new ModuleLoadException("the file '" + path + "' has no digest on its record, so that any file could "
                    + "stand there; apply the bundle again");
        Path copy = copy(inside(folders.apply(bundle), path, expected), expected);
        JarClassLoader loader = new JarClassLoader(copy, JvmModules.class.getClassLoader());
        try {
            return make(entry.className(), loader, type,
                    "is not in the file '" + path + "' of " + bundle);
        } catch (RuntimeException e) {
            loader.dispose();
            throw e;
        }
    }

    /// Returns the file if no link on the way leads out of the folder.
    private static Path inside(Path folder, String path, String expected) {
        Path jar = folder.resolve(path);
        if (!Files.isRegularFile(jar))
            throw new ModuleLoadException("the file '" + path + "' (" + expected + ") is missing at " + jar);
        try {
            Path real = jar.toRealPath();
            if (!real.startsWith(folder.toRealPath()))
                throw new ModuleLoadException("the file at " + jar + " lies outside of its bundle's folder, at " + real
                        + "; put the file itself there");
            return real;
        } catch (IOException e) {
            throw new ModuleLoadException("the file at " + jar + " cannot be read: " + e, e);
        }
    }

    /// Makes a private copy: the file in the bundle may be replaced while its classes are in use.
    private static Path copy(Path jar, String expected) {
        try {
            Path copy = Files.createTempFile("toolfleet-", ".jar");
            MessageDigest digest = Digests.newSha256();
            try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            String actual = Digests.of(digest.digest());
            if (expected.equals(actual)) {
                copy.toFile().deleteOnExit();
                return copy;
            }
            // Loading is tried again and again while the process runs; copies would pile up.
            Files.delete(copy);
            throw new ModuleLoadException("the file at " + jar + " is another one than was applied: it has " + actual
                    + ", applied was " + expected + "; copy the applied file there, or apply the bundle again");
        } catch (IOException e) {
            throw new ModuleLoadException("the file at " + jar + " cannot be read: " + e, e);
        }
    }

    private static <M> M make(String className, ClassLoader loader, Class<M> type, String whenMissing) {
        if (className.startsWith(EntryKind.OWN_TOOLS))
            throw new ModuleLoadException(
                    "the class " + className + " is a built-in Tool's, and not loaded by its name;"
                            + " its entry is builtin:NAME");
        try {
            // Checked before anything of it runs, its static initialiser included.
            Class<?> found = Class.forName(className, false, loader);
            if (!type.isAssignableFrom(found))
                throw new ModuleLoadException("the class " + className + " does not implement " + type.getName());
            return type.cast(found.getDeclaredConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new ModuleLoadException("the class " + className + " " + whenMissing, e);
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ModuleLoadException("the class " + className + " cannot be made (it needs a public constructor "
                    + "without arguments): " + ModuleLoadException.reason(cause), cause);
        }
    }
}
