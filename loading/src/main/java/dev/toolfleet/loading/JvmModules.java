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

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.json.Digests;
import org.jspecify.annotations.Nullable;

/// Makes modules from classes on the class path, and from jars of a bundle, each in a class loader of its own that sees
/// the fleet's classes. A jar whose SHA-256 is not the applied one is refused.
public final class JvmModules {
    private final Function<String, Path> folders;

    /// @param folders where a bundle's files lie
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
        String path = Path.of(entry.jar()).normalize().toString();
        Path jar = folders.apply(bundle).resolve(path);
        JarClassLoader loader = new JarClassLoader(copy(jar, path, files.get(path)), JvmModules.class.getClassLoader());
        try {
            return make(entry.className(), loader, type, "is not in " + jar);
        } catch (RuntimeException e) {
            loader.dispose();
            throw e;
        }
    }

    /// A private copy: the file in the bundle may be replaced while its classes are in use.
    private static Path copy(Path jar, String path, @Nullable String expected) {
        if (!Files.isRegularFile(jar)) {
            throw new ModuleLoadException("the file '" + path + "' (" + expected + ") is missing at " + jar);
        }
        try {
            Path copy = Files.createTempFile("toolfleet-", ".jar");
            MessageDigest digest = Digests.newSha256();
            try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            String actual = Digests.of(digest.digest());
            if (expected == null || expected.equals(actual)) {
                copy.toFile().deleteOnExit();
                return copy;
            }
            // It is tried again, for as long as the process runs.
            Files.delete(copy);
            throw new ModuleLoadException("the file at " + jar + " is another one than was applied: it has " + actual
                    + ", applied was " + expected + "; copy the applied file there, or apply the bundle again");
        } catch (IOException e) {
            throw new ModuleLoadException("the file at " + jar + " cannot be read: " + e, e);
        }
    }

    private static <M> M make(String className, ClassLoader loader, Class<M> type, String whenMissing) {
        try {
            Object module = Class.forName(className, true, loader).getDeclaredConstructor().newInstance();
            if (!type.isInstance(module)) {
                throw new ModuleLoadException("the class " + className + " does not implement " + type.getName());
            }
            return type.cast(module);
        } catch (ClassNotFoundException e) {
            throw new ModuleLoadException("the class " + className + " " + whenMissing, e);
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ModuleLoadException("the class " + className + " cannot be made (it needs a public constructor "
                    + "without arguments): " + ModuleLoadException.reason(cause), cause);
        }
    }
}
