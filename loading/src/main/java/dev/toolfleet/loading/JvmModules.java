package dev.toolfleet.loading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

import dev.toolfleet.bundle.EntryKind;

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
        String path = Path.of(entry.jar()).normalize().toString();
        Path copy = copy(new BundleCode(bundle, folders.apply(bundle), files), path);
        JarClassLoader loader = new JarClassLoader(copy, JvmModules.class.getClassLoader());
        try {
            return make(entry.className(), loader, type,
                    "is not in the file '" + path + "' of " + bundle);
        } catch (RuntimeException e) {
            loader.dispose();
            throw e;
        }
    }

    private static Path copy(BundleCode code, String jar) {
        code.digest(jar);
        try {
            Path copy = Files.createTempFile("toolfleet-", ".jar");
            try {
                code.copy(jar, copy);
            } catch (ModuleLoadException e) {
                Files.deleteIfExists(copy);
                throw e;
            }
            copy.toFile().deleteOnExit();
            return copy;
        } catch (IOException e) {
            throw new ModuleLoadException("no copy of the file '" + jar + "' can be made: " + e, e);
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
