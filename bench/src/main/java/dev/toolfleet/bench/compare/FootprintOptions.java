package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.bench.load.KeyMix;

/// Options of a look at the memory of engines.
///
/// @param arms what takes part, one after the other
/// @param inFlight how many calls are kept queued or running in the engine
/// @param textBytes of each call's text
/// @param duration how long
/// @param engines how they are set up
public record FootprintOptions(List<Arm> arms, int inFlight, int textBytes, Duration duration, EngineOptions engines) {
    /// Duration of each call: long, so that many are open at a time and few begin and end.
    static final Duration WORK = Duration.ofSeconds(20);

    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public FootprintOptions {
        arms = arms.stream().distinct().toList();
        if (inFlight < 1 || inFlight > 1_000_000)
            throw new IllegalArgumentException("in-flight is " + inFlight + "; it must be 1 to 1000000");
        if (duration.toSeconds() < 5 || duration.toHours() > 24)
            throw new IllegalArgumentException("time is " + duration + "; it must be 5 s to a day");
    }

    /// As many instances as calls in flight, so that nearly all of these run.
    CallLoad load() {
        return new CallLoad(WORK, new KeyMix.Uniform(inFlight), textBytes, 1);
    }
}
