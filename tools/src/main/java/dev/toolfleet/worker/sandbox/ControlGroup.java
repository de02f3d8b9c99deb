package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.worker.egress.CommandLogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The control group of one call: a folder in each hierarchy.
record ControlGroup(List<Path> folders) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);
    private static final int TRIES = 50;
    private static final Duration BETWEEN = Duration.ofMillis(2);
    private static final int LATE_TRIES = 600;
    private static final Duration BETWEEN_LATE = Duration.ofMillis(100);

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
        if (refusal(folder, TRIES, BETWEEN) == null)
            return;
        // On a busy machine the kernel takes longer, and no call is to wait for it.
        Thread.ofVirtual().name("control-group").start(() -> {
            IOException refusal = refusal(folder, LATE_TRIES, BETWEEN_LATE);
            if (refusal != null)
                LOG.atWarn().addKeyValue(CommandLogKeys.FOLDER, folder)
                        .addKeyValue(CommandLogKeys.REASON, refusal.toString())
                        .log("control group not removed");
        });
    }

    /// Why it cannot be removed; null when it is gone.
    private static @Nullable IOException refusal(Path folder, int tries, Duration between) {
        IOException last = null;
        for (int left = tries; left > 0; left--) {
            try {
                Files.delete(folder);
                return null;
            } catch (NoSuchFileException e) {
                return null;
            } catch (IOException e) {
                last = e;
                Pause.of(between);
            }
        }
        return last;
    }
}
