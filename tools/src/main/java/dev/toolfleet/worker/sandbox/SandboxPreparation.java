package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.worker.egress.EgressRules;
import dev.toolfleet.worker.sandbox.Cgroups.Hierarchy;
import dev.toolfleet.worker.sandbox.Cgroups.Resource;
import dev.toolfleet.worker.sandbox.Sandbox.Parts;
import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;

/// Finds out by trial which parts of a sandbox this system supports: kernels, containers and security modules forbid
/// parts of it in many ways.
///
/// @param groups places where control groups might be made
/// @param kernel the release of the kernel, such as `6.1.0-18-amd64`
/// @param arch the machine's architecture in Java's spelling
record SandboxPreparation(SandboxConfig config, Programs programs, List<Hierarchy> groups, String kernel, String arch) {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final String INSTALL = "install bubblewrap 0.8 or newer (such as apt-get install bubblewrap)";

    /// The parts that work.
    ///
    /// @throws ConfigException when the mode is `required` and one is missing, or a setting cannot be used
    Parts parts(Path workspace) {
        Parts off = new Parts(programs.find("setsid").map(Path::toString).map(List::of).orElse(List.of()),
                Optional.empty(), Optional.empty(), ControlGroups.none(), config.limits(), false, List.of());
        if (config.mode() == Mode.OFF)
            return off;
        config.check(workspace);
        List<String> missing = new ArrayList<>();
        Parts found = walled(limited(off, missing), workspace, missing);
        if (config.mode() == Mode.REQUIRED && !missing.isEmpty())
            throw new ConfigException("worker.sandbox.mode is 'required', as it is unless it is set, and here "
                    + String.join("; ", missing) + ". Or set worker.sandbox.mode to 'preferred', where every agent is"
                    + " trusted: commands of 'bash' then run with the part of it that this system has.");
        return found.with(missing);
    }

    private Parts limited(Parts off, List<String> missing) {
        Optional<Rlimits> rlimits = programs.find("prlimit").map(path -> new Rlimits(path, config.limits()));
        if (rlimits.isEmpty())
            missing.add("memory, processor time and file sizes are not limited: install prlimit (of util-linux)");
        ControlGroups made = ControlGroups.in(groups, config.limits(), UUID.randomUUID().toString());
        Parts limited = new Parts(off.session(), off.walls(), rlimits, made, off.limits(), false, List.of());
        if (made.bound(Resource.PROCESSES) || made.bound(Resource.MEMORY)) {
            if (SandboxProbe.of(limited).failure().isPresent()) // Groups can be made, and yet not be joined.
                return new Parts(off.session(), off.walls(), rlimits, ControlGroups.none(), off.limits(), false,
                        List.of());
        }
        return limited;
    }

    private Parts walled(Parts limited, Path workspace, List<String> missing) {
        Optional<Path> bwrap = programs.find("bwrap");
        if (bwrap.isEmpty()) {
            missing.add("commands can read and do what the worker's user can, because bwrap is not installed: "
                    + INSTALL);
            return limited;
        }
        if (Bubblewrap.hidesTheSystem(workspace)) {
            missing.add("commands can read and do what the worker's user can, because the workspace '" + workspace
                    + "' holds folders of the system, which commands need, and so cannot be hidden from them: set"
                    + " worker.workspace.root to a folder of its own");
            return limited;
        }
        Optional<SystemCallFilter> filter = SystemCallFilter.of(arch);
        boolean shared = config.network() instanceof Network.Shared;
        Bubblewrap best = new Bubblewrap(bwrap.get(), shared, config.readable(), workspace, true, Optional.empty(),
                filter);
        // Forbidding namespaces needs a /proc/sys that can be written, which containers seldom have.
        Bubblewrap second = new Bubblewrap(bwrap.get(), shared, config.readable(), workspace, false, Optional.empty(),
                filter);
        Optional<String> failure = Optional.empty();
        for (Bubblewrap walls : List.of(best, second, best.unfiltered(), second.unfiltered())) {
            Parts parts = new Parts(limited.session(), Optional.of(walls), limited.rlimits(), limited.groups(),
                    limited.limits(), false, List.of());
            Optional<String> refusal = SandboxProbe.of(parts).failure();
            if (refusal.isEmpty()) {
                filtered(walls, failure, missing);
                return leadingOut(counted(parts, missing), walls, missing);
            }
            failure = refusal;
        }
        missing.add("commands can read and do what the worker's user can, because " + bwrap.get() + " fails here ("
                + failure.orElse("")
                + "): allow user namespaces to this user (sysctl user.max_user_namespaces, AppArmor;"
                + " in a container seccomp and the masks on /proc), and " + INSTALL);
        return limited;
    }

    /// Adds a way to the hosts on the list, if the configuration has one.
    private Parts leadingOut(Parts parts, Bubblewrap walls, List<String> missing) {
        if (!(config.network() instanceof Network.Egress(EgressRules rules)))
            return parts;
        String why = "commands have no network, although worker.sandbox.network is 'egress', because ";
        Optional<Path> perl = programs.find("perl");
        if (perl.isEmpty()) {
            missing.add(why + "perl, which leads them to the proxy, is not installed: install it (such as apt-get"
                    + " install perl-base)");
            return parts;
        }
        Parts open = new Parts(parts.session(), Optional.of(walls.with(new Forwarder(perl.get(), rules))),
                parts.rlimits(), parts.groups(), parts.limits(), parts.countsProcesses(), List.of());
        Optional<String> refusal = SandboxProbe.of(open).failure();
        if (refusal.isEmpty())
            return open;
        missing.add(why + "the program that leads them to the proxy fails here (" + refusal.get()
                + "): see that " + perl.get() + " is a whole installation of Perl 5, and that worker.sandbox.processes"
                + " is at least 2");
        return parts;
    }

    private void filtered(Bubblewrap walls, Optional<String> failure, List<String> missing) {
        if (walls.filter().isEmpty())
            missing.add("the system calls of commands are not filtered: " + (SystemCallFilter.of(arch).isEmpty()
                    ? "run the worker on x86_64 or aarch64 instead of " + arch
                    : "this kernel refuses a filter (" + failure.orElse("") + ")"));
    }

    /// Before, all processes of the user counted, those of the worker too.
    static boolean countsByNamespace(String kernel) {
        Matcher release = RELEASE.matcher(kernel);
        if (!release.matches())
            return false;
        int major = Integer.parseInt(release.group(1));
        return major > 5 || (major == 5 && Integer.parseInt(release.group(2)) >= 14);
    }

    /// Decides how the number of processes is limited: by control group, or by a limit that newer kernels count for
    /// each user namespace, except for root.
    private Parts counted(Parts parts, List<String> missing) {
        Parts counting = new Parts(parts.session(), parts.walls(), parts.rlimits(), parts.groups(), parts.limits(),
                parts.rlimits().isPresent(), List.of());
        if (parts.groups().bound(Resource.PROCESSES))
            return parts;
        if (parts.rlimits().isPresent() && countsByNamespace(kernel) && SandboxProbe.of(counting).failure().isEmpty()
                && SandboxProbe.of(counting).forbidsSecondProcess())
            return counting;
        missing.add("the number of a command's processes is not limited: run the worker as another user than root on"
                + " Linux 5.14 or newer, or let it make control groups (such as Delegate=yes with"
                + " DelegateSubgroup=worker in its systemd unit)");
        return parts;
    }
}
