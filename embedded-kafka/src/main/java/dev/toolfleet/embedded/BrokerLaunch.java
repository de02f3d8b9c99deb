package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.embedded.process.ChildJvm;

/// Start of a broker's process, the same each time.
///
/// @param config with data that is kept and a port
/// @param place in its cluster
/// @param flags of its JVM
/// @param log the file for its outputs
/// @param patience the longest time until it serves clients
record BrokerLaunch(EmbeddedKafkaConfig config, NodePlace place, List<String> flags, Path log, Duration patience) {

    BrokerLaunch {
        flags = List.copyOf(flags);
    }

    /// Returns at once.
    ChildJvm begin() {
        return ChildJvm
                .start(new ChildJvm.Launch(BrokerMain.class, flags, BrokerMain.arguments(config, place), log));
    }

    /// Returns when the process serves clients; one that does not is killed.
    ///
    /// @throws EmbeddedKafkaException if it cannot start
    void await(ChildJvm process) throws InterruptedException {
        try {
            process.awaitReady(patience);
        } catch (IllegalStateException e) {
            process.kill();
            throw new EmbeddedKafkaException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            process.kill();
            throw e;
        }
    }
}
