package dev.toolfleet.worker.agents;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// View of the announced instances on `agent.instance`: about 300 bytes for each that is not removed. Its follower's
/// thread writes, any thread reads.
final class AgentInstances implements TopicView {
    /// Longest line of owners that is followed.
    static final int MAX_LINE = 64;
    private static final WireCodec<AgentInstance> CODEC = WireCodec.of(AgentInstance.class);

    private final Map<AgentAddress, AgentInstance> byAddress = new ConcurrentHashMap<>();

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        int slash = key.indexOf('/');
        if (slash <= 0)
            return;
        AgentAddress address = new AgentAddress(key.substring(0, slash), key.substring(slash + 1));
        if (value == null) {
            byAddress.remove(address);
            return;
        }
        AgentInstance instance = CODEC.read(value);
        // A record under another instance's key could never be removed.
        if (instance.address().equals(address))
            byAddress.put(address, instance);
    }

    @Override
    public void forget(int partition) {
        // It is followed as long as the worker lives.
    }

    @Nullable
    AgentInstance find(AgentAddress address) {
        return byAddress.get(address);
    }

    /// Returns the owner of an instance, the owner's owner, and so on.
    List<AgentAddress> ownersOf(AgentAddress address) {
        List<AgentAddress> owners = new ArrayList<>();
        AgentInstance instance = find(address);
        while (instance != null && instance.owner() != null && owners.size() < MAX_LINE) {
            owners.add(instance.owner());
            instance = find(instance.owner());
        }
        return owners;
    }

    /// Returns the instances that an instance spawned, oldest first.
    ///
    /// @param all whether to include those that these spawned, and so on
    List<AgentInstance> spawnedBy(AgentAddress owner, boolean all) {
        Map<AgentAddress, AgentInstance> found = new LinkedHashMap<>();
        Deque<AgentAddress> owners = new ArrayDeque<>(List.of(owner));
        while (!owners.isEmpty()) {
            AgentAddress next = owners.remove();
            for (AgentInstance instance : byAddress.values()) {
                if (next.equals(instance.owner()) && found.putIfAbsent(instance.address(), instance) == null && all)
                    owners.add(instance.address());
            }
        }
        return found.values().stream().sorted(Comparator.comparing(AgentInstance::spawnedAt)
                .thenComparing(AgentInstance::key)).toList();
    }
}
