package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.egress.CommandLogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything that a command started: its process group, its session and the processes seen to descend from it. On
/// Linux also the processes that carry its mark in the environment or write to its output, which finds daemons that
/// left group and session. For one thread.
final class ProcessFamily {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessFamily.class);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

    private final Process leader;
    private final Kind kind;
    private final FamilyTree tree;

    /// Leader of a family.
    enum Kind {
        /// The program itself, in the process group of others.
        PROGRAM,
        /// The program itself, which leads a process group of its own.
        GROUP,
        /// Bubblewrap: it outlives those that SIGTERM ends, and takes the rest with it.
        WALLS
    }

    ProcessFamily(Process leader, Kind kind, FamilyTree tree) {
        this.leader = leader;
        this.kind = kind;
        this.tree = tree;
    }

    /// Remembers those that descend from the leader now; to be called now and then while it runs.
    void look() {
        tree.look();
    }

    /// Ends all members: SIGTERM, and SIGKILL for those that are still there after the grace. Returns when none is
    /// left, whatever interrupts it.
    void end(Duration grace) {
        if (tree.living().isEmpty())
            return;
        signal("TERM");
        if (!goneWithin(grace))
            kill();
    }

    private void kill() {
        long end = System.nanoTime() + KILL_PATIENCE.toNanos();
        do
            signal("KILL");
        while (!goneWithin(POLL.multipliedBy(5)) && System.nanoTime() < end);
        List<ProcessHandle> left = tree.living();
        if (!left.isEmpty())
            LOG.atError().setMessage("processes survive SIGKILL")
                    .addKeyValue(CommandLogKeys.PIDS, left.stream().map(ProcessHandle::pid).toList()).log();
    }

    /// First the group at once, since it cannot fork out of a signal to all of it, then those outside of it.
    private void signal(String name) {
        if (kind == Kind.GROUP)
            signalGroup(name);
        for (ProcessHandle member : tree.living()) {
            if (name.equals("KILL"))
                member.destroyForcibly();
            else if (kind != Kind.WALLS || member.pid() != leader.pid())
                member.destroy();
        }
    }

    private void signalGroup(String name) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " -- -" + leader.pid())
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(Path.of("/dev/null").toFile()).start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (kill.isAlive() && System.nanoTime() < end)
                Pause.of(Duration.ofMillis(1));
        } catch (IOException e) {
            LOG.atWarn().setMessage("process group could not be signalled: its members are signalled one by one")
                    .addKeyValue(CommandLogKeys.PIDS, leader.pid()).setCause(e).log();
        }
    }

    private boolean goneWithin(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (!tree.living().isEmpty()) {
            if (System.nanoTime() >= end)
                return false;
            Pause.of(POLL);
        }
        return true;
    }
}
