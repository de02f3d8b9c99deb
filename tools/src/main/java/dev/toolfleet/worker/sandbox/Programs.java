package dev.toolfleet.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Which programs this system has.
@FunctionalInterface
interface Programs {
    /// Returns the path of a program; empty if it is not installed.
    Optional<Path> find(String name);

    /// Those in the usual folders: the path of the worker's environment may lead into a folder that others write.
    static Programs installed() {
        return name -> Stream.of("/usr/bin", "/bin", "/usr/local/bin").map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable).findFirst();
    }
}
