package dev.toolfleet.bench.compare;

import java.util.Map;
import java.util.OptionalDouble;

/// Participant of a run.
///
/// @param name in tables
/// @param arm what it is
/// @param processes how many there are of it
/// @param settings of workers, beside those that all have
/// @param share of a processor that each process may keep busy once it is warm; empty for no bound
record Entrant(String name, Arm arm, int processes, Map<String, String> settings, OptionalDouble share) {
    static Entrant of(Arm arm) {
        return new Entrant(arm.text(), arm, 1, Map.of(), OptionalDouble.empty());
    }
}
