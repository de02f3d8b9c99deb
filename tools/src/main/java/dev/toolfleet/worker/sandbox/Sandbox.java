package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.worker.egress.CommandLogKeys;
import dev.toolfleet.worker.egress.EgressCounts;
import dev.toolfleet.worker.egress.EgressProxies;
import dev.toolfleet.worker.egress.EgressProxy;
import dev.toolfleet.worker.sandbox.Cgroups.Resource;
import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts programs behind walls and within limits, as far as the configuration requires and the system allows it.
/// Thread-safe. Closing it ends the programs behind walls that still run.
public final class Sandbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);
    private static final String JOIN_AND_RUN = WalledLine.JOIN + "exec \"$@\"";

    private final Parts parts;
    private final Starter starter = new Starter();
    private final Optional<FilterFile> filter;
    private final Optional<EgressProxies> proxies;

    Sandbox(Parts parts) {
        this.parts = parts;
        this.filter = parts.walls.flatMap(Bubblewrap::filter).map(FilterFile::new);
        this.proxies = parts.walls.flatMap(Bubblewrap::forwarder).map(way -> new EgressProxies(way.rules()));
    }

    /// Parts of a sandbox.
    ///
    /// @param session the program that starts another one in a session of its own, where the system has that
    /// @param walls none when programs run as they are
    /// @param rlimits none if the system cannot set them, or no limits are configured
    /// @param groups places where groups can be made
    /// @param countsProcesses whether the system counts the processes of a user namespace
    /// @param notices parts that are weaker than the configuration prefers
    record Parts(List<String> session, Optional<Bubblewrap> walls, Optional<Rlimits> rlimits, ControlGroups groups,
            Limits limits, boolean countsProcesses, List<String> notices) {
        Parts with(List<String> others) {
            return new Parts(session, walls, rlimits, groups, limits, countsProcesses, List.copyOf(others));
        }
    }

    /// Prepares the sandbox of a worker. Runs programs to find out the system's abilities; each missing one is logged
    /// once.
    ///
    /// @param workspace the root of the instances' folders
    /// @throws ConfigException if `worker.sandbox.mode` is `required` and a part of it is missing, or another setting
    /// cannot be used
    public static Sandbox prepare(SandboxConfig config, Path workspace) {
        Sandbox sandbox = new Sandbox(new SandboxPreparation(config, Programs.installed(), Cgroups.of(Path.of("/proc")),
                System.getProperty("os.version"), System.getProperty("os.arch"))
                .parts(workspace.toAbsolutePath().normalize()));
        for (String notice : sandbox.notices())
            LOG.atWarn().addKeyValue(CommandLogKeys.REASON, notice).log("programs of tools are not fully confined");
        return sandbox;
    }

    /// True if programs see their own folder and nothing of the worker's.
    public boolean hasWalls() {
        return parts.walls.isPresent();
    }

    /// True if programs can use a file of this system.
    ///
    /// @param real without symbolic links
    /// @param workdir the instance's folder
    public boolean sees(Path real, Path workdir) {
        return parts.walls.map(walls -> walls.sees(real, workdir)).orElse(true);
    }

    /// The connections that programs asked their proxies for; none where they have no proxy.
    public EgressCounts egress() {
        return proxies.map(EgressProxies::counts).orElseGet(EgressCounts::new);
    }

    /// Returns the weaknesses of this sandbox and the remedy for each, one sentence each; empty if all is as
    /// configured. For people: sentences may change with releases.
    public List<String> notices() {
        return parts.notices;
    }

    /// Starts a program. Its standard input is at its end.
    ///
    /// @throws IOException when the system refuses it
    public StartedProgram start(ConfinedProgram command) throws IOException {
        return start(command, false);
    }

    /// Starts a program that reads its standard input until the caller closes it. It may run as long as the worker, so
    /// its processor time has no limit.
    ///
    /// @throws IOException when the system refuses it
    public StartedProgram converse(ConfinedProgram command) throws IOException {
        return start(command, true);
    }

    private StartedProgram start(ConfinedProgram command, boolean converses) throws IOException {
        String mark = UUID.randomUUID().toString();
        ControlGroup group = parts.groups.open(parts.limits, mark);
        Optional<EgressProxy> proxy = Optional.empty();
        try {
            if (proxies.isPresent() && !command.reach().network())
                proxy = Optional.of(proxies.get().open());
            return hasWalls()
                    ? walled(command, converses, walls(command), group, mark, proxy)
                    : plain(command, converses, group, mark);
        } catch (IOException | RuntimeException e) {
            proxy.ifPresent(EgressProxy::close);
            group.close();
            throw e;
        }
    }

    private Bubblewrap walls(ConfinedProgram command) {
        Bubblewrap walls = parts.walls.orElseThrow();
        return command.reach().network() ? walls.open() : walls;
    }

    private StartedProgram walled(ConfinedProgram command, boolean converses, Bubblewrap walls, ControlGroup group,
            String mark, Optional<EgressProxy> proxy) throws IOException {
        LastShell last = LastShell.of(proxy.isPresent() ? Forwarder.variables(command.env()) : command.env(), mark);
        byte[] options = walls.options(command, last.carried(), proxy.map(EgressProxy::socket));
        WalledLine way = converses ? WalledLine.byFile(options) : WalledLine.byInput(options);
        try {
            List<String> line = new ArrayList<>(parts.session);
            line.addAll(way.before(group.doors(), filter.isPresent() ? filter.get().path() : null));
            line.addAll(walls.before(WalledLine.OPTIONS, WalledLine.CALLS));
            parts.rlimits.ifPresent(
                    rlimits -> line.addAll(rlimits.before(boundsAddresses(command), !converses, processes(walls))));
            walls.forwarder().ifPresent(out -> line.addAll(out.before()));
            line.addAll(last.line(command.line(), command.workdir().toString(), command.identity()));
            ProcessBuilder builder = new ProcessBuilder(line).directory(Path.of("/").toFile());
            setEnvironment(builder, Map.of(), mark);
            Process process = starter.start(builder);
            way.started(process);
            return new StartedProgram(process,
                    new ProcessFamily(process, ProcessFamily.Kind.WALLS, WalledFamily.of(process, mark)), group, true,
                    proxy, way);
        } catch (IOException | RuntimeException e) {
            way.close();
            throw e;
        }
    }

    /// Returns the limit of processes in the user namespace; bubblewrap's own first process counts as one.
    private Optional<Integer> processes(Bubblewrap walls) {
        int others = 1 + (walls.forwarder().isPresent() ? Forwarder.PROCESSES : 0);
        return parts.countsProcesses ? Optional.of(parts.limits.processes() + others) : Optional.empty();
    }

    private StartedProgram plain(ConfinedProgram command, boolean converses, ControlGroup group, String mark)
            throws IOException {
        List<String> line = new ArrayList<>(parts.session);
        if (!group.folders().isEmpty()) {
            line.addAll(List.of("/bin/sh", "-c", JOIN_AND_RUN, "sh"));
            line.addAll(group.doors());
            line.add("--");
        }
        parts.rlimits
                .ifPresent(
                        rlimits -> line.addAll(rlimits.before(boundsAddresses(command), !converses, Optional.empty())));
        Map<String, String> env = new HashMap<>(command.env());
        env.remove(FamilyTree.MARK);
        LastShell last = LastShell.of(env, mark);
        line.addAll(last.line(command.line(), command.workdir().toString(), null));
        ProcessBuilder builder = new ProcessBuilder(line).directory(command.cwd().toFile());
        if (!converses)
            builder.redirectInput(Path.of("/dev/null").toFile());
        setEnvironment(builder, last.carried(), mark);
        ProcessFamily.Kind kind = parts.session.isEmpty() ? ProcessFamily.Kind.PROGRAM : ProcessFamily.Kind.GROUP;
        Process process = builder.start();
        return new StartedProgram(process, new ProcessFamily(process, kind, FamilyTree.of(process, mark)), group, false,
                Optional.empty(), WalledLine.NONE);
    }

    private boolean boundsAddresses(ConfinedProgram command) {
        return command.reach().bounded() && !parts.groups.bound(Resource.MEMORY);
    }

    private static void setEnvironment(ProcessBuilder builder, Map<String, String> env, String mark) {
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(env);
        environment.put(FamilyTree.MARK, mark);
    }

    @Override
    public void close() {
        starter.close();
        proxies.ifPresent(EgressProxies::close);
        filter.ifPresent(FilterFile::close);
    }
}
