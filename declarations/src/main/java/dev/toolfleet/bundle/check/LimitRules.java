package dev.toolfleet.bundle.check;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.bundle.Durations;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.RetrySpec;

/// Checks `limits` and `retry` of an export.
final class LimitRules {
    private LimitRules() {}

    static void check(Place export, Findings findings) {
        Place limits = export.get("limits");
        Place hold = limits.get("holdWhilePending");
        if (hold.node().asBoolean(false) && !limits.get("maxConcurrent").present()) {
            findings.warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, hold,
                    "holdWhilePending has no effect without maxConcurrent.",
                    "Add maxConcurrent, or remove it.");
        }
        if (export.get("retry").node().isObject())
            retry(export.get("retry"), export.get("annotations"), findings);
    }

    private static void retry(Place retry, Place annotations, Findings findings) {
        Place backoff = retry.get("backoff");
        Optional<Duration> wait = Durations.parse(backoff.node().asString(""));
        if (wait.isPresent() && wait.get().compareTo(RetrySpec.LONGEST) > 0) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, backoff, "The first wait is longer than "
                    + RetrySpec.LONGEST.toSeconds() + " s, beyond which no wait grows.",
                    "All attempts have to end before the call's deadline: write 200ms, or some seconds.");
        }
        if (!annotations.get("readOnly").node().asBoolean(false)
                && !annotations.get("idempotent").node().asBoolean(false)) {
            findings.warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, retry,
                    "retry has no effect: the export is neither readOnly nor idempotent.",
                    "Declare it in annotations if it is true, else remove retry.");
        }
    }
}
