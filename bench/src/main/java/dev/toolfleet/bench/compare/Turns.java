package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Order of measurements: entrants take turns, and another one begins each round. Otherwise: a change of the machine
/// hits one entrant alone.
final class Turns {
    private Turns() {}

    /// Measures one.
    interface Measurement<T> {
        /// Takes one measurement; rounds count from 1.
        T of(Entrant entrant, CallLoad load, int round) throws IOException, InterruptedException;
    }

    static <T> List<T> take(List<Entrant> entrants, List<CallLoad> loads, int rounds, Measurement<T> measurement)
            throws IOException, InterruptedException {
        List<T> measured = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (CallLoad load : loads) {
                List<Entrant> turn = new ArrayList<>(entrants);
                Collections.rotate(turn, -round);
                for (Entrant entrant : turn) {
                    if (entrant.arm().fits(load.work()))
                        measured.add(measurement.of(entrant, load, round + 1));
                }
            }
        }
        return measured;
    }
}
