package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The control group of one call: a folder in each hierarchy.
record ControlGroup(List<Path> folders) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);
    private static final int TRIES = 50;
    private static final Duration BETWEEN = Duration.ofMillis(2);

    /// The files into which a process writes its number to join.
    List<String> doors() {
        return folders.stream().map(folder -> folder.resolve("cgroup.procs").toString()).toList();
    }

    /// Removes it. Its processes have ended; the kernel may take a moment to notice.
    @Override
    public void close() {
        folders.forEach(ControlGroup::remove);
    }

    private static void remove(Path folder) {
        for (int left = TRIES;; left--) {
            try {
                Files.delete(folder);
                return;
            } catch (NoSuchFileException e) {
                return;
            } catch (IOException e) {
                if (left == 0) {
                    LOG.atWarn().addKeyValue(LogKeys.FOLDER, folder).addKeyValue(LogKeys.REASON, e.toString())
                            .log("control group not removed");
                    return;
                }
                Pause.of(BETWEEN);
            }
        }
    }
}
