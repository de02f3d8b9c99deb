package dev.toolfleet.loading;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.json.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The classes of one module, in a private copy of its jar. Disposed of with the module.
public final class JarClassLoader extends URLClassLoader {
    private static final Logger LOG = LoggerFactory.getLogger(JarClassLoader.class);

    private final Path jar;

    /// Classes from `jar`, which is deleted with the loader, beside those of `parent`.
    public JarClassLoader(Path jar, ClassLoader parent) {
        super(new URL[]{url(jar)}, parent);
        this.jar = jar;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new ModuleLoadException("not a file: " + jar, e);
        }
    }

    /// Closes the jar and deletes it, and lets go of its classes.
    public void dispose() {
        // The mapper keeps a reference to each class that it mapped. Otherwise: it keeps all classes of the jar for
        // ever.
        Json.MAPPER.clearCaches();
        try {
            close();
            Files.deleteIfExists(jar);
        } catch (IOException e) {
            LOG.atWarn().addKeyValue(LoadingLogKeys.REASON, e.toString()).log("module's jar did not close");
        }
    }
}
