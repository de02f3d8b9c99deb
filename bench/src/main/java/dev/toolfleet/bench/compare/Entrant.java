package dev.toolfleet.bench.compare;

import java.util.Map;

/// Participant of a run.
///
/// @param name in tables
/// @param arm what it is
/// @param processes how many there are of it
/// @param settings of workers, beside those that all have
record Entrant(String name, Arm arm, int processes, Map<String, String> settings) {
    static Entrant of(Arm arm) {
        return new Entrant(arm.text(), arm, 1, Map.of());
    }
}
