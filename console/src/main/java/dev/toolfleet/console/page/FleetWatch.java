package dev.toolfleet.console.page;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.operate.OperatorCommands.FleetState;

/// State of the fleet's workers, as it was a few seconds ago.
///
/// **Contract.** Readers get the last state at once, unless it is older than [#TOO_OLD]. It is read again when a reader
/// comes and it is older than [#AGE]. So nothing is read while no page is open, and once in [#AGE] however many are.
///
/// **Threads.** Thread-safe. One virtual thread reads at a time.
final class FleetWatch {
    static final Duration AGE = Duration.ofSeconds(3);
    static final Duration TOO_OLD = Duration.ofSeconds(30);

    private final OperatorCommands commands;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile Optional<Read> last = Optional.empty();

    private record Read(FleetState state, long at) {
        boolean isOlderThan(Duration age) {
            return System.nanoTime() - at > age.toNanos();
        }
    }

    FleetWatch(OperatorCommands commands) {
        this.commands = commands;
    }

    /// Returns the last state; empty while the first one, or the first one after a long pause, is being read.
    Optional<FleetState> last() {
        Optional<Read> now = last;
        if ((now.isEmpty() || now.get().isOlderThan(AGE)) && reading.compareAndSet(false, true))
            Thread.ofVirtual().name("console-fleet").start(this::read);
        return now.filter(read -> !read.isOlderThan(TOO_OLD)).map(Read::state);
    }

    private void read() {
        try {
            last = Optional.of(new Read(commands.fleet(), System.nanoTime()));
        } catch (RuntimeException e) {
            last = Optional.of(new Read(new FleetState("", List.of(), List.of(),
                    List.of("The workers cannot be read: " + e.getClass().getSimpleName() + ".")), System.nanoTime()));
        } finally {
            reading.set(false);
        }
    }
}
