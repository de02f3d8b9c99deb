package dev.toolfleet.bench.fault;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Kinds of faults, in the order in which help texts list them.
public enum FaultKind {
    /// SIGKILL to a worker; a new one starts a little later, sometimes under the same name.
    KILL,
    /// SIGTERM to a worker; a new one starts when it has ended, sometimes under the same name.
    STOP,
    /// SIGSTOP to a worker for longer than its session timeout, then SIGCONT.
    FREEZE,
    /// SIGKILL to a broker, which starts again some seconds later. Not SIGTERM: the only broker of a cluster that is
    /// stopped in good order leaves its partitions without leader for a moment, and transactions that end in that
    /// moment get no markers (Kafka 4.3).
    BROKER,
    /// `tool.call` is deleted and made anew under the workers; what was not read of it is lost.
    RECREATE,
    /// All workers are stopped, the group's offsets are set back, and new workers start.
    REWIND,
    /// All workers are stopped, the group is deleted, and new workers start.
    FORGET,
    /// Brokers take few bytes a second from each client for some seconds.
    QUOTA,
    /// SIGTERM to a worker, in whose place one starts whose clock is an hour ahead.
    CLOCK,
    /// SIGKILL to a gateway; it starts again a little later.
    GATEWAY,
    /// SIGKILL to a session service; it starts again a little later.
    SESSION,
    /// SIGKILL to the process that runs the handlers of a worker; the worker starts another.
    HOST;

    private static final String ALL = "all";

    /// The kinds that need nothing but the fleet's processes, and little time.
    public static Set<FaultKind> usual() {
        return EnumSet.of(KILL, STOP, FREEZE, BROKER);
    }

    /// The usual kinds of a run with gateways.
    public static Set<FaultKind> usualWithGateways() {
        return EnumSet.of(KILL, GATEWAY);
    }

    /// The usual kinds of a run whose handlers are in processes of their own.
    public static Set<FaultKind> usualWithHosts() {
        return EnumSet.of(KILL, STOP, FREEZE, BROKER, HOST);
    }

    /// The usual kinds of a run with session services.
    public static Set<FaultKind> usualWithSessions() {
        return EnumSet.of(KILL, STOP, BROKER, SESSION);
    }

    /// The kinds that a run without hosts and session services may have. The read model of gateways outlives no topic.
    public static Set<FaultKind> all(boolean gateways) {
        return EnumSet.complementOf(EnumSet.of(gateways ? RECREATE : GATEWAY, SESSION, HOST));
    }

    /// The kinds of these names, or all for `all`.
    ///
    /// @param gateways true for a run with gateways
    /// @throws IllegalArgumentException naming what is none
    public static Set<FaultKind> parse(Collection<String> names, boolean gateways) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String name : names) {
            if (name.equalsIgnoreCase(ALL))
                return all(gateways);
            kinds.add(Arrays.stream(values()).filter(kind -> kind.text().equalsIgnoreCase(name)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("faults has '" + name + "'; there are "
                            + Arrays.stream(values()).map(FaultKind::text).collect(Collectors.joining(", "))
                            + " and " + ALL)));
        }
        return kinds;
    }

    /// As commands spell it.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// True if its target is one worker.
    public boolean ofWorker() {
        return switch (this) {
            case KILL, STOP, FREEZE, CLOCK, HOST -> true;
            case BROKER, RECREATE, REWIND, FORGET, QUOTA, GATEWAY, SESSION -> false;
        };
    }
}
