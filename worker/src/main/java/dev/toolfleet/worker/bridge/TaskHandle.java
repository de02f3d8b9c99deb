package dev.toolfleet.worker.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Handles of calls that are tasks of a server: a handle of the fleet, and behind it the id of the task. Pure.
final class TaskHandle {
    /// The longest id of a task, in bytes: it has to fit into a handle.
    static final int LONGEST = 512;

    private TaskHandle() {}

    /// True if the id of a task fits into a handle.
    static boolean fits(String taskId) {
        return taskId.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }

    /// Returns the handle of a task.
    ///
    /// @param fresh a handle of the fleet: servers count their tasks anew after a restart
    static String of(String fresh, String taskId) {
        return fresh + "." + Base64.getUrlEncoder().withoutPadding()
                .encodeToString(taskId.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns the id of the task.
    static String taskId(String handle) {
        return new String(Base64.getUrlDecoder().decode(handle.substring(handle.indexOf('.') + 1)),
                StandardCharsets.UTF_8);
    }
}
