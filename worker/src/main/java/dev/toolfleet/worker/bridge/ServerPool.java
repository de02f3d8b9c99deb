package dev.toolfleet.worker.bridge;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import org.jspecify.annotations.Nullable;

/// Connections of one worker to MCP servers: one for each address, however many agents and extensions use it.
///
/// **Contract.** A connection begins with its first use and ends with its last. After [#close] none is left, and uses
/// that begin later get one that has ended.
///
/// **Threads.** Any.
public final class ServerPool implements AutoCloseable {
    private static final Duration INSTANCE_IDLE = Duration.ofMinutes(5);

    private final Host host;
    private final FirstDefinitions definitions = new FirstDefinitions();
    private final Map<ServerAddress, Shared> shared = new HashMap<>();
    private final AtomicLong starts = new AtomicLong();
    private boolean closed;

    /// Surroundings of the connections.
    ///
    /// @param sandbox where servers run that the worker starts
    /// @param workspace the root of the instances' folders
    /// @param egress the hosts that servers elsewhere may be on
    /// @param env the worker's environment
    /// @param patience the time for which the tools of a server that is away stay
    public record Host(Sandbox sandbox, Path workspace, EgressList egress, Map<String, String> env,
            Duration patience) {}

    private static final class Shared {
        private final ServerLink link;
        private final @Nullable InstanceServers instances;
        private int uses;

        Shared(ServerLink link, @Nullable InstanceServers instances) {
            this.link = link;
            this.instances = instances;
        }
    }

    /// A pool without connections.
    public ServerPool(Host host) {
        this.host = host;
    }

    /// Returns the reader of configurations of servers.
    BridgeConfig reader() {
        return new BridgeConfig(host.env()::get, host.egress());
    }

    /// Returns the root of the instances' folders.
    Path workspace() {
        return host.workspace();
    }

    FirstDefinitions definitions() {
        return definitions;
    }

    /// Returns the connection to a server, kept until [#release].
    synchronized ServerLink acquire(ServerSettings settings) {
        Shared known = shared.get(settings.address());
        if (known == null) {
            String label = label(settings.name());
            known = new Shared(ServerLink.start(label, connector(label, settings.address()),
                    pauses(settings.address())::after, host.patience(), starts), instances(settings));
            if (closed)
                end(known);
            else
                shared.put(settings.address(), known);
        }
        known.uses++;
        return known.link;
    }

    /// Returns the processes of a server for single instances, which is one that a worker starts; null for others.
    ///
    /// @param settings of an acquired server
    synchronized @Nullable InstanceServers ofInstances(ServerSettings settings) {
        Shared known = shared.get(settings.address());
        return known == null ? null : known.instances;
    }

    private @Nullable InstanceServers instances(ServerSettings settings) {
        if (!(settings.address() instanceof ServerAddress.Program program))
            return null;
        return new InstanceServers(settings.name(), INSTANCE_IDLE, folder -> {
            ServerAddress.Program own = program.in(folder);
            String label = settings.name() + " of " + folder.getFileName();
            return ServerLink.start(label, connector(label, own), pauses(own)::after, host.patience(), starts);
        });
    }

    private String label(String name) {
        Set<String> taken = new HashSet<>();
        shared.values().forEach(each -> taken.add(each.link.label()));
        String label = name;
        for (int number = 2; taken.contains(label); number++)
            label = name + "-" + number;
        return label;
    }

    private static RestartPause pauses(ServerAddress address) {
        return new RestartPause(switch (address) {
            case ServerAddress.Program _ -> RestartPause.MOST_FAILURES;
            case ServerAddress.Web _ -> RestartPause.MOST_REFUSALS;
        });
    }

    /// Returns an opener of connections to a server.
    Connector connector(String label, ServerAddress address) {
        return switch (address) {
            case ServerAddress.Program program -> ProgramServer.connector(label, program, host.sandbox(),
                    host.workspace(), host.env());
            case ServerAddress.Web web -> Connector.web(web);
        };
    }

    /// Ends a use; the last one ends the connection, and returns when nothing of it is left.
    void release(ServerSettings settings) {
        Shared last;
        synchronized (this) {
            last = shared.get(settings.address());
            if (last == null || --last.uses > 0)
                return;
            shared.remove(settings.address());
        }
        end(last);
    }

    private static void end(Shared ended) {
        ended.link.close();
        if (ended.instances != null)
            ended.instances.close();
    }

    /// Number of connections that were begun.
    long starts() {
        return starts.get();
    }

    /// Returns the connections that exist.
    synchronized List<ServerLink> links() {
        List<ServerLink> links = new ArrayList<>();
        for (Shared each : shared.values()) {
            links.add(each.link);
            if (each.instances != null)
                links.addAll(each.instances.links());
        }
        return links;
    }

    /// Ends all connections side by side.
    @Override
    public void close() {
        List<Shared> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(shared.values());
            shared.clear();
        }
        SideBySide.run(open.stream().<Runnable>map(each -> () -> end(each)).toList());
    }
}
