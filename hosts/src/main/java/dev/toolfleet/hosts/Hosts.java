package dev.toolfleet.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import dev.toolfleet.bundle.HostIsolation;
import dev.toolfleet.bundle.HostKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.BundleCode;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ScriptModules;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.sandbox.Sandbox;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hosts of one worker: one for each bundle revision and language, or for each Tool that wants one of its own.
///
/// **Contract.** A host begins with the first Tool that uses it, and ends with the last. It runs a private copy of the
/// bundle's files, so that a file can be replaced while it is in use. After [#close] no process of a host is left.
///
/// **Threads.** Any.
public final class Hosts implements ScriptModules, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hosts.class);

    private final HostsConfig config;
    private final Map<String, String> env;
    private final String workerVersion;
    private final HostStarter starter;
    private final AtomicLong starts = new AtomicLong();
    private final Map<Key, Shared> shared = new HashMap<>();
    private boolean closed;

    /// Identity of a host.
    ///
    /// @param own the Tool that has it alone, or the executable; null if Tools share it
    /// @param network true if its handlers may use the worker's network
    private record Key(String bundle, HostKind kind, @Nullable String own, boolean network,
            Map<String, String> files) {}

    private static final class Shared {
        private final BundleHost host;
        private final HostKind kind;
        private final Path root;
        private int uses;

        Shared(BundleHost host, HostKind kind, Path root) {
            this.host = host;
            this.kind = kind;
            this.root = root;
        }
    }

    /// Use of a host by one module.
    ///
    /// @param file the Tool's file in the private copy
    /// @param release ends the use
    record Use(BundleHost host, Path file, Runnable release) {}

    /// State of a host's process.
    ///
    /// @param host the bundle and the kind, such as `acme (node)`
    /// @param version of the language
    /// @param inFlight calls at work
    /// @param rss resident bytes at the last look; 0 if unknown
    public record ProcessState(String host, String kind, String version, long pid, int inFlight, long rss) {}

    /// Process that has a call.
    ///
    /// @param host the bundle and the kind, such as `acme (node)`
    public record Seat(String host, long pid) {}

    /// @param env the worker's environment
    /// @param workerVersion the version that hosts are told
    /// @param sandbox the walls around hosts
    /// @param workspace the root of the instances' folders, which hosts may write
    public Hosts(HostsConfig config, Map<String, String> env, String workerVersion, Sandbox sandbox,
            Path workspace) {
        this.starter = new HostStarter(sandbox, workspace);
        this.config = config;
        this.env = Map.copyOf(env);
        this.workerVersion = workerVersion;
    }

    @Override
    public ToolModule tool(ToolSpec spec, String path, BundleCode code) {
        HostKind kind = HostKind.of(spec.runtime(), path);
        code.digest(path);
        String own = kind == HostKind.PROCESS
                ? path
                : spec.isolation() == HostIsolation.BUNDLE ? null : spec.name();
        return new HostModule(spec, path,
                acquire(new Key(code.bundle(), kind, own, spec.network(), code.files()), path, code));
    }

    private synchronized Use acquire(Key key, String path, BundleCode code) {
        if (closed)
            throw new ModuleLoadException("the worker stops");
        Shared host = shared.get(key);
        if (host == null) {
            host = open(key, path, code);
            shared.put(key, host);
        }
        host.uses++;
        return new Use(host.host, host.root.resolve(path), () -> release(key));
    }

    private Shared open(Key key, String path, BundleCode code) {
        Path root = null;
        try {
            root = Files.createTempDirectory("toolfleet-host-").toRealPath();
            Path files = Files.createDirectory(root.resolve("bundle"));
            code.copyAll(files);
            return new Shared(new BundleHost(launch(key, path, root, files), starter, workerVersion,
                    config, starts), key.kind(), files);
        } catch (IOException e) {
            delete(root);
            throw new ModuleLoadException("no copy of the bundle's files can be made: " + e, e);
        } catch (ModuleLoadException e) {
            delete(root);
            throw e;
        }
    }

    private HostLaunch launch(Key key, String path, Path root, Path files) throws IOException {
        Map<String, String> variables = starter.usual(env);
        variables.put("TOOLFLEET_HOST_ROOT", files.toString());
        variables.put("TOOLFLEET_HOST_MEMORY", Long.toString(config.memory()));
        String label = key.bundle() + " (" + (key.own() == null ? "" : key.own() + ", ") + key.kind().text() + ")";
        return switch (key.kind()) {
            case NODE -> new HostLaunch(label,
                    List.of(config.node(), "--max-old-space-size=" + ((config.memory() * 3 / 4) >> 20),
                            program(root, "host.mjs").toString()),
                    files, variables, key.network(), "install Node 20 or later, or name it in worker.hosts.node (now '"
                            + config.node() + "')");
            case PYTHON ->
                new HostLaunch(label, List.of(config.python(), "-I", program(root, "host.py").toString()), files,
                        variables, key.network(),
                        "install Python 3.11 or later, or name it in worker.hosts.python (now '"
                                + config.python() + "')");
            case PROCESS ->
                new HostLaunch(label, List.of(files.resolve(path).toString()), files, variables, key.network(),
                        "see that its first line names a program that this machine has");
        };
    }

    private static Path program(Path root, String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Hosts.class.getResourceAsStream(name), name)) {
            Path file = root.resolve(name);
            Files.copy(in, file);
            return file;
        }
    }

    private void release(Key key) {
        Shared last;
        synchronized (this) {
            last = shared.get(key);
            if (last == null || --last.uses > 0)
                return;
            shared.remove(key);
        }
        end(last);
    }

    private static void end(Shared host) {
        host.host.close();
        delete(host.root.getParent());
    }

    /// Number of processes that were started.
    public long starts() {
        return starts.get();
    }

    /// Returns the processes that run.
    public List<ProcessState> processes() {
        return copy().stream().flatMap(each -> each.host.running().stream()
                .map(process -> new ProcessState(each.host.label(), each.kind.text(), process.greeting().version(),
                        process.pid(), process.inFlight(), process.vitals().path("rss").longValue(0))))
                .toList();
    }

    /// Returns the process that has a call; empty if none has.
    ///
    /// @param call recognizes the call by its context
    public Optional<Seat> seat(Predicate<ToolContext> call) {
        for (Shared each : copy()) {
            for (HostProcess process : each.host.running()) {
                if (process.contexts().stream().anyMatch(call))
                    return Optional.of(new Seat(each.host.label(), process.pid()));
            }
        }
        return Optional.empty();
    }

    /// Returns the reason for each host that may not start a process now, by its name.
    public Map<String, String> refusals() {
        Map<String, String> refusals = new TreeMap<>();
        copy().forEach(each -> each.host.refusal().ifPresent(reason -> refusals.put(each.host.label(), reason)));
        return refusals;
    }

    private synchronized List<Shared> copy() {
        return List.copyOf(shared.values());
    }

    /// Ends all processes, side by side.
    @Override
    public void close() {
        List<Shared> open;
        synchronized (this) {
            closed = true;
            open = copy();
            shared.clear();
        }
        List<Thread> ends = open.stream().map(host -> Thread.ofVirtual().start(() -> end(host))).toList();
        boolean interrupted = Thread.interrupted();
        for (Thread end : ends) {
            try {
                end.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        starter.close();
        if (interrupted)
            Thread.currentThread().interrupt();
    }

    private static void delete(@Nullable Path root) {
        if (root == null)
            return;
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                        throws IOException {
                    if (failure != null)
                        throw failure;
                    Files.delete(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException | UncheckedIOException e) {
            LOG.atWarn().addKeyValue(HostLogKeys.REASON, e.toString()).log("copy of a bundle's files not deleted");
        }
    }
}
