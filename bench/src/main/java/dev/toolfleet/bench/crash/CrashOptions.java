package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.util.Set;

import dev.toolfleet.bench.effect.EffectHandlers;
import dev.toolfleet.bench.fault.FaultKind;

/// Options of a run.
///
/// @param duration for how long calls are written and faults happen
/// @param seed of calls and faults
/// @param faults which kinds; at least one
/// @param brokers how many: 1, whose absence stops everything, or 3, where one may be away
/// @param gateways how many, over which clients then call; 0 for calls that are written to the topic
/// @param sessions how many session services; 0 for none
/// @param handlers the language of the tools
/// @param labels whether tools add labels or send, under a guarded policy
public record CrashOptions(Duration duration, long seed, int callsPerSecond, Set<FaultKind> faults, int brokers,
        int gateways, int sessions, EffectHandlers handlers, boolean labels) {
    private static final int MOST_GATEWAYS = 4;
    private static final int MOST_CALLS = 10_000;

    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming the one that cannot be used
    public CrashOptions {
        if (duration.isNegative() || duration.isZero())
            throw new IllegalArgumentException("minutes is " + duration + "; it must be more than 0");
        if (callsPerSecond < 1 || callsPerSecond > MOST_CALLS)
            throw new IllegalArgumentException(
                    "calls-per-second is " + callsPerSecond + "; it must be 1 to " + MOST_CALLS);
        if (faults.isEmpty())
            throw new IllegalArgumentException("faults is empty; name at least one");
        if (brokers != 1 && brokers != 3)
            throw new IllegalArgumentException("brokers is " + brokers + "; it must be 1 or 3");
        if (gateways < 0 || gateways > MOST_GATEWAYS)
            throw new IllegalArgumentException("gateways is " + gateways + "; it must be 0 to " + MOST_GATEWAYS);
        if (sessions < 0 || sessions > MOST_GATEWAYS)
            throw new IllegalArgumentException("sessions is " + sessions + "; it must be 0 to " + MOST_GATEWAYS);
        if (sessions == 0 && faults.contains(FaultKind.SESSION))
            throw new IllegalArgumentException("faults has 'session', and sessions is 0; it must be 1 or more");
        if (sessions > 0 && faults.contains(FaultKind.RECREATE))
            throw new IllegalArgumentException("faults has 'recreate', and sessions is " + sessions
                    + "; a tool.call whose offsets begin anew needs another state of the session services");
        if (gateways == 0 && faults.contains(FaultKind.GATEWAY))
            throw new IllegalArgumentException("faults has 'gateway', and gateways is 0; it must be 1 or more");
        if (gateways > 0 && faults.contains(FaultKind.RECREATE))
            throw new IllegalArgumentException("faults has 'recreate', and gateways is " + gateways
                    + "; a tool.call whose offsets begin anew needs another read model of the gateways");
        if (handlers == EffectHandlers.JAVA && faults.contains(FaultKind.HOST))
            throw new IllegalArgumentException("faults has 'host', and the handlers are in Java, in the worker; use"
                    + " --handlers node");
        if (labels && gateways > 0)
            throw new IllegalArgumentException("labels is true, and gateways is " + gateways
                    + "; it must be 0, since clients over HTTP call in no order that is known before");
        if (labels && faults.contains(FaultKind.RECREATE))
            throw new IllegalArgumentException("faults has 'recreate', and labels is true; calls that are lost with"
                    + " their topic add no labels");
        faults = Set.copyOf(faults);
    }
}
