package dev.toolfleet.cli.command;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs when a worker becomes ready, when it no longer is, and why; one line for each change.
final class ReadinessLog {
    private static final Logger LOG = LoggerFactory.getLogger(ReadinessLog.class);

    private @Nullable List<String> last;

    /// Logs a change; returns true if there is one.
    ///
    /// @param reasons why it is not ready; empty when it is
    boolean look(List<String> reasons) {
        if (reasons.equals(last))
            return false;
        last = reasons;
        if (reasons.isEmpty()) {
            LOG.atInfo().log("worker is ready");
        } else {
            LOG.atWarn().addKeyValue("reason", String.join("; ", reasons)).log("worker is not ready");
        }
        return true;
    }
}
