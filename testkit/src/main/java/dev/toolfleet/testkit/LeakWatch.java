package dev.toolfleet.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/// Finds the leaks of a module: threads, processes, open files, and files beside the workdirs of its calls.
final class LeakWatch implements AutoCloseable {
    private static final long PERIOD_NANOS = 20_000_000;

    private final Path root;
    private final List<Probe> probes;

    private LeakWatch(Path root, List<Probe> probes) {
        this.root = root;
        this.probes = probes;
    }

    static LeakWatch begin(Path root) {
        return new LeakWatch(root, List.of(new OpenFileProbe(), new ThreadProbe(root), new ProcessProbe(root)));
    }

    /// Returns the remaining leaks, after waiting at most `patience`; counted in checks, for machines that pause.
    List<String> leftAfter(Duration patience) {
        List<String> left = leaks();
        for (long looks = patience.toNanos() / PERIOD_NANOS; !left.isEmpty() && looks > 0; looks--) {
            LockSupport.parkNanos(PERIOD_NANOS);
            left = leaks();
        }
        List<String> found = new ArrayList<>(left.stream().map(leak -> "left behind after close(): " + leak).toList());
        strays().forEach(stray -> found.add("left a file outside its workdir: " + stray));
        return found;
    }

    private List<String> leaks() {
        return probes.stream().flatMap(probe -> probe.leaks().stream()).toList();
    }

    private Set<Path> strays() {
        Set<Path> strays = new TreeSet<>(Folders.entries(root));
        strays.removeIf(path -> path.getFileName().toString().equals("threads.json"));
        Set<Path> calls = Set.copyOf(strays);
        strays.removeIf(path -> path.getFileName().toString().startsWith("call-"));
        for (Path call : calls)
            if (!strays.contains(call))
                strays.addAll(besides(call));
        return strays;
    }

    private static Set<Path> besides(Path call) {
        Set<Path> entries = new TreeSet<>(Folders.entries(call));
        entries.removeIf(path -> path.getFileName().toString().equals("workdir"));
        return entries;
    }

    @Override
    public void close() {
        probes.forEach(Probe::close);
    }
}
