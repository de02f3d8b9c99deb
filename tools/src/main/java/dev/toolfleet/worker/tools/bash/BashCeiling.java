package dev.toolfleet.worker.tools.bash;

import java.util.List;

import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.tools.args.Ceiling;
import dev.toolfleet.worker.tools.bash.BashModule.BashConfig;

/// The most that a bundle may open of `bash`.
public final class BashCeiling {
    private BashCeiling() {}

    /// Reads `worker.tools.bash.ceiling`.
    public static Ceiling of(Settings ceiling) {
        return new Ceiling.Reader(ceiling).most("maxOutputBytes", BashConfig.DEFAULT.maxOutputBytes())
                .may("allowOutsideWorkdir", false)
                .variables("inheritEnv", List.of()).read();
    }
}
