package dev.toolfleet.worker.record;

import dev.toolfleet.config.ConfigException;

/// Limits on a call that ends with the same result again and again in its turn.
///
/// @param noticeAfter results in a row from which each carries a notice; 0 for no notices
/// @param refuseAfter results in a row after which the call is refused; 0 for no refusals
public record LoopConfig(int noticeAfter, int refuseAfter) {
    /// Counts nothing.
    public static final LoopConfig OFF = new LoopConfig(0, 0);

    /// Checks that a model is told before it is stopped.
    public LoopConfig {
        if (noticeAfter < 0)
            throw new ConfigException("worker.loops.noticeAfter", Integer.toString(noticeAfter), "0 or more");
        if (refuseAfter != 0 && refuseAfter < Math.max(1, noticeAfter))
            throw new ConfigException("worker.loops.refuseAfter", Integer.toString(refuseAfter),
                    "0 for no refusals, or at least " + Math.max(1, noticeAfter)
                            + (noticeAfter > 0
                                    ? ", which is worker.loops.noticeAfter: a model is told before it is stopped"
                                    : ""));
    }

    boolean isOff() {
        return noticeAfter == 0 && refuseAfter == 0;
    }
}
