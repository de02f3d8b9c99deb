package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;

/// Reads where this process may find control groups, of either version (cgroups(7)).
final class Cgroups {
    /// Beside the command's own: bubblewrap's two.
    static final int WALLS = 2;

    private Cgroups() {}

    /// Resource that a group can bound.
    enum Resource {
        /// Number of processes and threads.
        PROCESSES,
        /// Memory that they use together.
        MEMORY
    }

    /// A group in which groups may be made.
    ///
    /// @param unified whether it is of version 2
    record Hierarchy(Path parent, boolean unified, Set<Resource> resources) {
        Hierarchy without(Set<Resource> bounded) {
            Set<Resource> rest = EnumSet.noneOf(Resource.class);
            resources.stream().filter(resource -> !bounded.contains(resource)).forEach(rest::add);
            return new Hierarchy(parent, unified, rest);
        }

        /// Writes the limits of a group.
        ///
        /// @throws IOException when one of them cannot be set
        void limit(Path group, Limits limits) throws IOException {
            for (Resource resource : resources) {
                switch (resource) {
                    case PROCESSES -> write(group.resolve("pids.max"), limits.processes() + WALLS);
                    case MEMORY -> limitMemory(group, limits.memory());
                }
            }
        }

        private void limitMemory(Path group, long bytes) throws IOException {
            write(group.resolve(unified ? "memory.max" : "memory.limit_in_bytes"), bytes);
            // Without swap there is no file, and nothing to bound.
            Path swap = group.resolve(unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
            if (Files.exists(swap))
                write(swap, unified ? 0 : bytes);
        }

        private static void write(Path file, long value) throws IOException {
            // The file is the kernel's: it must be there, not be made.
            Files.write(file, Long.toString(value).getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                    java.nio.file.StandardOpenOption.WRITE);
        }
    }

    /// The groups of this process in which it might make some, the most likely first.
    ///
    /// @param proc `/proc`
    static List<Hierarchy> of(Path proc) {
        try {
            List<String> mounts = Files.readAllLines(proc.resolve("self/mounts"));
            List<Hierarchy> found = new ArrayList<>();
            for (String line : Files.readAllLines(proc.resolve("self/cgroup"))) {
                String[] fields = line.split(":", 3);
                if (fields.length == 3)
                    add(found, mounts, fields[1], fields[2]);
            }
            return found;
        } catch (IOException e) {
            return List.of(); // Not Linux.
        }
    }

    private static void add(List<Hierarchy> found, List<String> mounts, String controllers, String path)
            throws IOException {
        if (controllers.isEmpty()) {
            // A delegated group whose own processes sit in one below it hands out controllers to its sisters.
            Optional<Path> root = mount(mounts, "cgroup2", "");
            if (root.isPresent()) {
                Path own = root.get().resolve(path.substring(1)).normalize();
                addUnified(found, own);
                if (!own.equals(root.get()) && own.getParent() != null)
                    addUnified(found, own.getParent());
            }
            return;
        }
        for (String controller : controllers.split(",", -1)) {
            Optional<Resource> resource = resource(controller);
            Optional<Path> root = mount(mounts, "cgroup", controller);
            if (resource.isPresent() && root.isPresent())
                found.add(new Hierarchy(root.get().resolve(path.substring(1)).normalize(), false,
                        EnumSet.of(resource.get())));
        }
    }

    private static void addUnified(List<Hierarchy> found, Path group) throws IOException {
        Path handedOut = group.resolve("cgroup.subtree_control");
        if (!Files.isReadable(handedOut))
            return;
        Set<Resource> resources = EnumSet.noneOf(Resource.class);
        for (String controller : Files.readString(handedOut).strip().split(" ", -1))
            resource(controller).ifPresent(resources::add);
        if (!resources.isEmpty())
            found.add(new Hierarchy(group, true, resources));
    }

    private static Optional<Resource> resource(String controller) {
        return switch (controller) {
            case "pids" -> Optional.of(Resource.PROCESSES);
            case "memory" -> Optional.of(Resource.MEMORY);
            default -> Optional.empty();
        };
    }

    private static Optional<Path> mount(List<String> mounts, String type, String option) {
        return mounts.stream().map(line -> line.split(" ", -1)).filter(fields -> fields.length > 3
                && fields[2].equals(type)
                && (option.isEmpty() || Arrays.asList(fields[3].split(",", -1)).contains(option)))
                .map(fields -> Path.of(fields[1])).findFirst();
    }
}
