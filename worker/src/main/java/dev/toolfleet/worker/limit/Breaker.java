package dev.toolfleet.worker.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.ToolMeters;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.StateTransition;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Circuit breaker of a tool: resilience4j's, with a generation.
///
/// **Contract.** A call that entered in one state does not count in another. So a late success cannot close an open
/// breaker, and a late failure cannot fail a trial.
///
/// **Threads.** Not thread-safe: its gate's lock guards it.
final class Breaker {
    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);

    private final CircuitBreaker states;
    private final Clock clock;
    private final Duration openFor;
    private final String tool;
    private final ToolMeters meters;
    private Instant openUntil = Instant.MIN;
    private long generation;

    Breaker(String tool, BreakerSpec spec, Clock clock, ToolMeters meters) {
        this.clock = clock;
        this.openFor = spec.openFor();
        this.tool = tool;
        this.meters = meters;
        this.states = CircuitBreaker.of(tool, CircuitBreakerConfig.custom()
                .slidingWindowType(SlidingWindowType.COUNT_BASED).slidingWindowSize(spec.window())
                .minimumNumberOfCalls(spec.window()).failureRateThreshold((float) spec.failureRate())
                .waitDurationInOpenState(openFor).permittedNumberOfCallsInHalfOpenState(1).clock(clock).build());
        states.getEventPublisher().onStateTransition(event -> changed(event.getStateTransition()));
    }

    private void changed(StateTransition change) {
        generation++;
        boolean opens = change.getToState() == CircuitBreaker.State.OPEN;
        if (opens) {
            openUntil = clock.instant().plus(openFor);
            meters.breakerOpened();
        }
        LOG.atLevel(opens ? Level.WARN : Level.INFO).addKeyValue(LogKeys.TOOL, tool)
                .addKeyValue(LogKeys.STATE, change.getToState().name())
                .addKeyValue(LogKeys.FORMER, change.getFromState().name()).log("circuit breaker changed");
    }

    /// True if it lets no call in, because earlier calls failed.
    boolean isOpen() {
        return states.getState() == CircuitBreaker.State.OPEN && clock.instant().isBefore(openUntil);
    }

    /// Lets a call in. Returns false while it is open, and while its trial runs.
    boolean enter() {
        return states.tryAcquirePermission();
    }

    /// Returns the generation of a call that enters now.
    long generation() {
        return generation;
    }

    /// Counts the end of a call that had entered in the generation `entered`.
    void ended(long entered, BreakerSignal ending) {
        if (entered != generation)
            return;
        switch (ending) {
            case SUCCEEDED -> states.onSuccess(0, TimeUnit.NANOSECONDS);
            case FAILED -> states.onError(0, TimeUnit.NANOSECONDS, new Failure());
            case UNCOUNTED -> states.releasePermission();
        }
    }

    /// Returns the time for which it stays open; not positive if it is not open, or a trial may begin.
    Duration openFor() {
        return Duration.between(clock.instant(), openUntil);
    }

    /// Returns 0 when it is closed, 1 while it tries, 2 when it is open.
    int state() {
        return switch (states.getState()) {
            case CLOSED, DISABLED, METRICS_ONLY -> 0;
            case HALF_OPEN -> 1;
            case OPEN, FORCED_OPEN -> 2;
        };
    }

    /// Failure for resilience4j, which counts exceptions; here a failure is a result.
    private static final class Failure extends RuntimeException {
        Failure() {
            super("the tool failed", null, false, false);
        }
    }
}
