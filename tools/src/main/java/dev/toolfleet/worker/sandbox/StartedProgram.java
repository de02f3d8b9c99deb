package dev.toolfleet.worker.sandbox;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.worker.egress.EgressProxy;

/// A program that was started, with all that it starts. For one thread. To be [ended][#end] and then closed.
public final class StartedProgram implements AutoCloseable {
    private static final int NOT_JOINED = 125;
    private static final String BWRAP = "bwrap: ";

    private final Process process;
    private final ProcessFamily family;
    private final ControlGroup group;
    private final boolean walls;
    private final Optional<EgressProxy> proxy;
    private final WalledLine way;

    StartedProgram(Process process, ProcessFamily family, ControlGroup group, boolean walls,
            Optional<EgressProxy> proxy, WalledLine way) {
        this.process = process;
        this.family = family;
        this.group = group;
        this.walls = walls;
        this.proxy = proxy;
        this.way = way;
    }

    /// Its exit is the program's, its output too.
    public Process process() {
        return process;
    }

    /// Looks for its new processes; must be called from time to time while it runs.
    public void look() {
        family.look();
    }

    /// Ends all its processes: SIGTERM, and SIGKILL for those that are left after the grace. Returns when none is left,
    /// even if interrupted.
    public void end(Duration grace) {
        family.end(grace);
    }

    /// Returns the reason why the program never ran, if the sandbox failed.
    ///
    /// @param status of the process, which has ended
    /// @param stderr its output there
    public Optional<String> refusal(int status, String stderr) {
        boolean notJoined = status == NOT_JOINED && !group.folders().isEmpty() && !stderr.isEmpty();
        boolean noWalls = walls && status == 1 && stderr.startsWith(BWRAP);
        boolean noWayOut = proxy.isPresent() && status == Forwarder.FAILED && stderr.startsWith(Forwarder.SAYS);
        return notJoined || noWalls || noWayOut ? Optional.of(stderr.strip()) : Optional.empty();
    }

    /// Frees its resources.
    @Override
    public void close() {
        way.close();
        proxy.ifPresent(EgressProxy::close);
        group.close();
    }
}
