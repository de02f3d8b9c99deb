package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.toolfleet.json.Digests;

import static java.util.Objects.requireNonNull;

/// Compiles a tool into a jar while a test runs, and is what that tool meets here.
public final class TinyJar {
    static final String ENTRY = "./lib/tiny.jar#tiny.Tiny";
    static final String FILE = "lib/tiny.jar";

    private static final Map<String, WeakReference<ClassLoader>> LOADERS = new ConcurrentHashMap<>();
    private static final CountDownLatch STARTED = new CountDownLatch(1);
    private static final CountDownLatch GATE = new CountDownLatch(1);

    private TinyJar() {}

    /// The tool with that answer is made, by that loader.
    public static void made(String answer, ClassLoader loader) {
        LOADERS.put(answer, new WeakReference<>(loader));
    }

    /// Holds a call of the tool.
    public static void hold() throws InterruptedException {
        STARTED.countDown();
        GATE.await();
    }

    static void awaitHeld() throws InterruptedException {
        if (!STARTED.await(3, TimeUnit.MINUTES))
            throw new IllegalStateException("the call is not held");
    }

    static void release() {
        GATE.countDown();
    }

    static boolean isReleased(String answer) {
        return requireNonNull(LOADERS.get(answer)).get() == null;
    }

    /// Writes a jar whose tool answers with this text; the digest of the file.
    static String write(Path jar, String answer) throws IOException {
        Path folder = Files.createTempDirectory("tiny");
        Path source = folder.resolve("Tiny.java");
        Files.writeString(source, """
                package tiny;
                import dev.toolfleet.tool.*;
                import dev.toolfleet.worker.fleet.TinyJar;
                import java.util.Map;
                public class Tiny implements ToolModule {
                    public record Input(boolean hold) {}
                    public record Output(String answer) {}
                    public Tiny() { TinyJar.made("%1$s", Tiny.class.getClassLoader()); }
                    public Map<String, ToolHandler> handlers() {
                        return Map.of("run", ToolHandler.typed(Input.class, (ctx, input) -> {
                            if (input.hold())
                                TinyJar.hold();
                            return new Output("%1$s");
                        }));
                    }
                }
                """.formatted(answer));
        int end = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp",
                System.getProperty("java.class.path"), "-d", folder.toString(), source.toString());
        if (end != 0)
            throw new IllegalStateException("the tiny tool does not compile");
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream classes = new JarOutputStream(out);
                Stream<Path> compiled = Files.list(folder.resolve("tiny"))) {
            for (Path each : compiled.toList()) {
                classes.putNextEntry(new JarEntry("tiny/" + each.getFileName()));
                Files.copy(each, classes);
            }
        }
        return Digests.sha256(Files.readAllBytes(jar));
    }
}
