package dev.toolfleet.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds processes that outlive a tool. A daemon leaves the family of this JVM, so the family is watched all the time.
/// A process whose working folder is inside the tests' folder (Linux) was started by a tool.
final class ProcessProbe implements Probe {
    private static final long PERIOD_NANOS = 10_000_000;
    private static final Path PROC = Path.of("/proc");

    private final Path root;
    private final Set<ProcessHandle> before;
    private final Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();
    private final Thread watcher;
    private volatile boolean closed;

    ProcessProbe(Path root) {
        this.root = root;
        this.before = family();
        this.watcher = Thread.ofPlatform().daemon().name("contract-process-watch").start(this::watch);
    }

    @Override
    public List<String> leaks() {
        Set<ProcessHandle> alive = new LinkedHashSet<>(seen);
        alive.addAll(family());
        alive.addAll(standingInRoot());
        alive.removeAll(before);
        return alive.stream().filter(ProcessHandle::isAlive).map(ProcessProbe::phrase).toList();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watcher);
    }

    private void watch() {
        while (!closed) {
            seen.addAll(family());
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private static Set<ProcessHandle> family() {
        return ProcessHandle.current().descendants().collect(Collectors.toSet());
    }

    private List<ProcessHandle> standingInRoot() {
        if (!Files.isDirectory(PROC))
            return List.of();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> standsInRoot(process.pid())).toList();
        }
    }

    private boolean standsInRoot(long pid) {
        try {
            return Files.readSymbolicLink(PROC.resolve(pid + "/cwd")).startsWith(root);
        } catch (IOException | UnsupportedOperationException e) {
            return false; // Another user's process, or gone meanwhile.
        }
    }

    private static String phrase(ProcessHandle process) {
        return "process " + process.pid() + process.info().commandLine().map(line -> " '" + line + "'").orElse("");
    }
}
