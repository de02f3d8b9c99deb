package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// Cooperative assignment: a partition with another owner is assigned to no member until that owner has given it up.
final class SimAssignor {
    private final Random random;
    private int partitions;
    private boolean shuffle;

    SimAssignor(Random random, int partitions) {
        this.random = random;
        this.partitions = partitions;
    }

    void grow(int count) {
        partitions = count;
    }

    /// The next assignment heeds no owner when it decides who shall have what.
    void shuffleNext() {
        shuffle = true;
    }

    /// @param owned the partitions that each member claims; of two equal claims the first counts
    Map<String, Set<Integer>> assign(Map<String, Set<Integer>> owned) {
        Map<Integer, String> owners = new HashMap<>();
        owned.forEach((member, claims) -> claims.forEach(partition -> owners.putIfAbsent(partition, member)));
        Map<Integer, String> target = target(new ArrayList<>(owned.keySet()), owners);
        Map<String, Set<Integer>> assignment = new LinkedHashMap<>();
        owned.keySet().forEach(member -> assignment.put(member, new TreeSet<>()));
        target.forEach((partition, member) -> {
            String owner = owners.getOrDefault(partition, member);
            if (owner.equals(member))
                assignment.computeIfAbsent(member, _ -> new TreeSet<>()).add(partition);
        });
        return assignment;
    }

    /// Balances the partitions: no member has more than one above another.
    private Map<Integer, String> target(List<String> members, Map<Integer, String> owners) {
        Collections.shuffle(members, random);
        List<Integer> order = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++)
            order.add(partition);
        Collections.shuffle(order, random);
        int least = partitions / members.size();
        int more = partitions % members.size();
        Map<String, Integer> room = new LinkedHashMap<>();
        for (String member : members)
            room.put(member, least + (more-- > 0 ? 1 : 0));
        Map<Integer, String> target = new HashMap<>();
        if (!shuffle) {
            order.forEach(partition -> {
                String owner = owners.get(partition);
                if (owner != null && room.getOrDefault(owner, 0) > 0)
                    give(target, room, partition, owner);
            });
        }
        shuffle = false;
        for (int partition : order) {
            if (target.containsKey(partition))
                continue;
            for (String member : members) {
                if (room.getOrDefault(member, 0) > 0) {
                    give(target, room, partition, member);
                    break;
                }
            }
        }
        return target;
    }

    private static void give(Map<Integer, String> target, Map<String, Integer> room, int partition, String member) {
        target.put(partition, member);
        room.merge(member, -1, Integer::sum);
    }
}
