package dev.toolfleet.cli.command;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs when a service becomes ready, when it no longer is, and why; one line for each change.
final class ReadinessLog {
    private static final Logger LOG = LoggerFactory.getLogger(ReadinessLog.class);

    private final String service;
    private @Nullable List<String> last;

    /// @param service its name in the logs
    ReadinessLog(String service) {
        this.service = service;
    }

    /// Logs a change; returns true if there is one.
    ///
    /// @param reasons why it is not ready; empty when it is
    boolean look(List<String> reasons) {
        if (reasons.equals(last))
            return false;
        last = reasons;
        if (reasons.isEmpty()) {
            LOG.atInfo().log(service + " is ready");
        } else {
            LOG.atWarn().addKeyValue("reason", String.join("; ", reasons)).log(service + " is not ready");
        }
        return true;
    }
}
