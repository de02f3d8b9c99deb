package dev.toolfleet.bundle.check;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.Durations;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.RetrySpec;

/// Checks `limits` and `retry` of an export.
final class LimitRules {
    private final Place export;
    private final Check check;
    private final Shapes shapes;
    private final Findings findings;

    private LimitRules(Place export, Check check) {
        this.export = export;
        this.check = check;
        shapes = check.shapes();
        findings = check.findings();
    }

    static void check(Place export, Check check) {
        LimitRules rules = new LimitRules(export, check);
        rules.limits(export.get("limits"));
        rules.retry(export.get("retry"));
    }

    private void limits(Place limits) {
        if (!shapes.mapping(limits))
            return;
        check.knownFields(limits, Set.of("maxConcurrent", "ratePerSecond", "circuitBreaker", "holdWhilePending"));
        concurrency(limits.get("maxConcurrent"));
        shapes.positive(limits.get("ratePerSecond"));
        breaker(limits.get("circuitBreaker"));
        Place hold = limits.get("holdWhilePending");
        shapes.flag(hold);
        if (hold.node().asBoolean(false) && !limits.get("maxConcurrent").present()) {
            findings.warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, hold,
                    "holdWhilePending has no effect without maxConcurrent.",
                    "Add maxConcurrent, or remove it.");
        }
    }

    private void concurrency(Place concurrency) {
        if (!concurrency.node().isObject()) {
            shapes.positiveWhole(concurrency);
            return;
        }
        check.knownFields(concurrency, Set.of("perCore"));
        Place perCore = concurrency.get("perCore");
        if (!perCore.present()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, concurrency, perCore.path() + " is missing.",
                    "Write maxConcurrent: 8, or {perCore: 4} for four calls on each processor.");
        }
        between(perCore, Concurrency.MOST);
    }

    private void breaker(Place breaker) {
        if (!breaker.present() || breaker.node().isBoolean() || !shapes.mapping(breaker))
            return;
        check.knownFields(breaker, Set.of("failureRate", "window", "openFor", "ignore"));
        between(breaker.get("failureRate"), 100);
        whole(breaker.get("window"), BreakerSpec.LONGEST_WINDOW);
        shapes.duration(breaker.get("openFor"));
        shapes.list(breaker.get("ignore")).forEach(shapes::text);
    }

    private void retry(Place retry) {
        if (!shapes.mapping(retry))
            return;
        check.knownFields(retry, Set.of("maxAttempts", "backoff", "retryOn"));
        whole(retry.get("maxAttempts"), RetrySpec.MOST_ATTEMPTS);
        Place backoff = retry.get("backoff");
        shapes.duration(backoff);
        Optional<Duration> wait = Durations.parse(backoff.node().asString(""));
        if (wait.isPresent() && wait.get().compareTo(RetrySpec.LONGEST) > 0) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, backoff, "The first wait is longer than "
                    + RetrySpec.LONGEST.toSeconds() + " s, beyond which no wait grows.",
                    "All attempts have to end before the call's deadline: write 200ms, or some seconds.");
        }
        Place codes = retry.get("retryOn");
        shapes.list(codes).forEach(shapes::text);
        if (codes.node().isArray() && codes.node().isEmpty()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, codes, "retryOn names no code.",
                    "Leave it out to try again after whatever the tool fails with, or list error codes.");
        }
        Place annotations = export.get("annotations");
        if (!annotations.get("readOnly").node().asBoolean(false)
                && !annotations.get("idempotent").node().asBoolean(false)) {
            findings.warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, retry,
                    "retry has no effect: the export is neither readOnly nor idempotent.",
                    "Declare it in annotations if it is true, else remove retry.");
        }
    }

    private void whole(Place place, int most) {
        shapes.positiveWhole(place);
        if (place.node().isNumber() && place.node().asDouble() > most)
            shapes.wrong(place, "at most " + most);
    }

    private void between(Place place, int most) {
        shapes.positive(place);
        if (place.node().isNumber() && place.node().asDouble() > most)
            shapes.wrong(place, "at most " + most);
    }
}
