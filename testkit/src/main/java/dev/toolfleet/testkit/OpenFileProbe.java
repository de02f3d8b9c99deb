package dev.toolfleet.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds files that a tool left open in this JVM, if the system shows them (Linux). Libraries that a class loader
/// opened do not count.
final class OpenFileProbe implements Probe {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final Map<String, String> before = open();

    @Override
    public List<String> leaks() {
        return open().entrySet().stream().filter(file -> !file.getValue().equals(before.get(file.getKey())))
                .map(file -> "open file " + file.getValue()).sorted().toList();
    }

    private static Map<String, String> open() {
        Map<String, String> files = new TreeMap<>();
        for (Path descriptor : Folders.entries(DESCRIPTORS)) {
            String target = target(descriptor);
            if (isData(target))
                files.put(descriptor.getFileName().toString(), target);
        }
        return files;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // Closed meanwhile: the descriptor of this very listing.
        }
    }

    private static boolean isData(String target) {
        return target.startsWith("/") && !target.matches("/proc(/.*)?") && !target.startsWith("/dev/")
                && !target.startsWith("/sys/") && !target.endsWith(".jar") && !target.endsWith("/modules")
                && !target.endsWith(".exec");
    }
}
