package dev.toolfleet.embedded.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A separate JVM with this one's class path and Java home, so that a test can stop, freeze and kill it as an operating
/// system does.
///
/// **Contract.** It ends with this JVM, however this one ends: its main class opens a [ParentLink]. Like the launcher,
/// it uses the [AotCache] of the jar when there is one and no flag decides otherwise.
///
/// **Threads.** Methods may be called from any thread.
public final class ChildJvm implements AutoCloseable {
    /// Flags of every JVM of a fleet, also in the launcher: libraries of Kafka and of its store call native code.
    public static final List<String> FLAGS = List.of("--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final Process process;
    private final Launch launch;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    /// Start parameters of a child.
    ///
    /// @param main the class whose `main` opens a [ParentLink]
    /// @param flags of the JVM, such as `-Xmx256m`
    /// @param arguments of `main`
    /// @param log where both of its outputs are appended
    /// @param environment variables besides those of this JVM
    public record Launch(Class<?> main, List<String> flags, List<String> arguments, Path log,
            Map<String, String> environment) {
        /// Copies the collections.
        public Launch {
            flags = List.copyOf(flags);
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }

        /// With the environment of this JVM.
        public Launch(Class<?> main, List<String> flags, List<String> arguments, Path log) {
            this(main, flags, arguments, log, Map.of());
        }
    }

    private ChildJvm(Process process, Launch launch) {
        this.process = process;
        this.launch = launch;
    }

    /// Starts it and returns at once.
    ///
    /// @throws IllegalStateException when the system starts no process
    public static ChildJvm start(Launch launch) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(launch.flags());
        command.addAll(FLAGS);
        if (!AotCache.isDecidedBy(launch.flags()))
            AotCache.ofThisJvm().filter(AotCache::exists).ifPresent(cache -> command.addAll(cache.use()));
        command.addAll(List.of("-cp", classPath(), launch.main().getName()));
        command.addAll(launch.arguments());
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(launch.log().toFile()));
            builder.environment().putAll(launch.environment());
            Process process = builder.start();
            ChildJvm child = new ChildJvm(process, launch);
            Thread.ofPlatform().daemon().name("child-" + process.pid()).start(child::read);
            return child;
        } catch (IOException e) {
            throw new IllegalStateException("no process could be started for " + launch.main().getName() + ": " + e, e);
        }
    }

    /// Returns the class path with absolute names: this JVM's may be relative to the folder in which it was started.
    private static String classPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            String line = lines.readLine();
            if (line != null) {
                ready.complete(line);
            }
            while (lines.readLine() != null) {
                // Reads on: a child that prints too much must not block.
            }
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
        ready.completeExceptionally(new IOException("it ended"));
    }

    /// Returns the line that the child passed to [ParentLink#ready].
    ///
    /// @throws IllegalStateException when it ended before, or is not ready in that time; the message names its log,
    ///         and then shows the log's end and the threads at work
    public String awaitReady(Duration atMost) throws InterruptedException {
        String name = launch.main().getSimpleName() + " (process " + pid() + ")";
        try {
            return ready.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    name + " ended before it was ready; its log is " + launch.log(),
                    e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(name + " was not ready after " + atMost + "; its log is " + launch.log()
                    + ". " + new Stuck(pid(), launch.log()).describe(), e);
        }
    }

    /// Returns the process id.
    public long pid() {
        return process.pid();
    }

    /// True if the process runs, frozen or not.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// SIGTERM; does not wait.
    public void terminate() {
        process.destroy();
    }

    /// Waits for its end.
    ///
    /// @return true if it has ended
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// SIGKILL, also for a frozen one. Returns when it is gone; an interrupt waits until then.
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /// As [#kill].
    @Override
    public void close() {
        kill();
    }
}
