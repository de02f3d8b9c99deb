package dev.toolfleet.worker.agents;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.wire.AgentAddress;
import org.jspecify.annotations.Nullable;

/// Lookup of instances that work in a folder of their owner's. Only instances with a slash in their key were spawned.
/// An unknown one is waited for once, so that the first call of a new instance finds its folder on every worker.
/// Thread-safe.
final class SpawnedHomes {
    /// Wait for an announcement.
    @FunctionalInterface
    public interface CatchUp {
        /// Waits until the instance is known, if it was announced before this call.
        ///
        /// @return false if it may lie behind an open transaction of another writer
        /// @throws IllegalStateException if that cannot be read now
        boolean await(AgentAddress instance) throws InterruptedException;
    }

    /// Most instances that are remembered as unknown; beyond that all may be waited for again.
    private static final int REMEMBERED = 10_000;

    private final AgentInstances instances;
    private final CatchUp catchUp;
    private final Set<AgentAddress> asked = ConcurrentHashMap.newKeySet();

    /// @param catchUp waits until an instance that was announced before is known
    public SpawnedHomes(AgentInstances instances, CatchUp catchUp) {
        this.instances = instances;
        this.catchUp = catchUp;
    }

    /// Returns the folder, relative to the workspace root; null for one of the instance's own.
    public @Nullable String cwd(@Nullable String agent, String instanceKey) {
        if (agent == null || instanceKey.indexOf('/') < 0)
            return null;
        AgentAddress address = new AgentAddress(agent, instanceKey);
        var known = instances.find(address);
        if (known == null && !asked.contains(address)) {
            if (caughtUp(address))
                remember(address);
            known = instances.find(address);
        }
        return known == null ? null : known.cwd();
    }

    private void remember(AgentAddress address) {
        if (asked.size() >= REMEMBERED)
            asked.clear();
        asked.add(address);
    }

    private boolean caughtUp(AgentAddress address) {
        try {
            return catchUp.await(address);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the instance's folder was known", e);
        }
    }
}
