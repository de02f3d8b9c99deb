package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.worker.state.AdminAnswer;
import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fences the producers of dead workers of the group, so that their open transactions end before their timeout.
///
/// **Contract.** A worker is dead if the group has no member of its name: one that only lost its membership cannot
/// commit any more either. Workers' transactional ids have a reserved ending. So an id that another application chose
/// is never fenced, even if it begins with the group's name.
///
/// **Threads.** Thread-safe. While one thread fences, others return at once.
///
/// **Earlier releases.** Their ids lack that ending. Such an id is fenced only if this process has seen a group member
/// of that name. Otherwise its transaction ends by its own timeout of 10 s.
public final class DeadWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(DeadWorkers.class);
    private static final Set<TransactionState> UNDECIDED = EnumSet.of(TransactionState.ONGOING,
            TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT, TransactionState.PREPARE_EPOCH_FENCE);

    /// Separates worker and number in a transactional id. Earlier releases do not recognize such an id as a worker's.
    private static final String RESERVED = ".@worker-";
    /// The separator of those releases.
    private static final String FORMER = ".";

    private final Admin admin;
    private final GroupMembers members;
    private final String group;
    private final String self;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /// @param self this worker's name: never fenced
    /// @param timeout of one request
    public DeadWorkers(Admin admin, GroupMembers members, String group, String self, Duration timeout) {
        this.admin = admin;
        this.members = members;
        this.group = group;
        this.self = self;
        this.timeout = timeout;
    }

    /// Returns the transactional id of a worker's first (0) or second (1) producer. It does not change with a restart,
    /// so that a new start fences the old one. Its ending is reserved for workers.
    public static String transactionalId(String group, String worker, int number) {
        return group + "." + worker + RESERVED + number;
    }

    /// A possible owner of a transactional id: group and worker may both hold dots.
    record Owner(String group, String worker) {
        String clientId() {
            return GroupMembers.clientId(worker);
        }
    }

    static List<Owner> owners(String transactionalId) {
        return owners(transactionalId, RESERVED);
    }

    private static List<Owner> owners(String transactionalId, String before) {
        List<Owner> owners = new ArrayList<>();
        if (!transactionalId.endsWith(before + "0") && !transactionalId.endsWith(before + "1"))
            return owners;
        String name = transactionalId.substring(0, transactionalId.length() - before.length() - 1);
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
            owners.add(new Owner(name.substring(0, dot), name.substring(dot + 1)));
        return owners;
    }

    /// Returns the ids of dead workers of `group`: ids that may belong to this group, not to `self`, and to no living
    /// worker of any group. An id in the form of earlier releases counts only if a worker of its name was seen in the
    /// group.
    ///
    /// @param seen client ids of former members of `group`
    static List<String> dead(Collection<String> undecided, String group, String self,
            Map<String, Set<String>> clientIdsByGroup, Set<String> seen) {
        return undecided.stream().filter(id -> {
            List<Owner> owners = owners(id);
            boolean ours = owners.stream().anyMatch(owner -> owner.group().equals(group));
            if (owners.isEmpty()) {
                owners = owners(id, FORMER);
                ours = owners.stream()
                        .anyMatch(owner -> owner.group().equals(group) && seen.contains(owner.clientId()));
            }
            return ours && !owners.contains(new Owner(group, self))
                    && owners.stream().noneMatch(owner -> clientIdsByGroup.getOrDefault(owner.group(), Set.of())
                            .contains(owner.clientId()));
        }).toList();
    }

    /// Returns the group's present members, and remembers them: it may have to end their transactions later.
    ///
    /// @throws org.apache.kafka.common.KafkaException if the brokers do not answer
    public Set<GroupMembers.Member> look() {
        return saw(members.of(group));
    }

    private Set<GroupMembers.Member> saw(Set<GroupMembers.Member> present) {
        present.forEach(member -> seen.add(member.clientId()));
        return present;
    }

    /// Fences the dead workers.
    ///
    /// @throws org.apache.kafka.common.KafkaException if the brokers do not answer
    public void fence() {
        if (!lock.tryLock())
            return;
        try {
            fenceDead();
        } finally {
            lock.unlock();
        }
    }

    private void fenceDead() {
        Set<String> undecided = AdminAnswer
                .of(admin.listTransactions(new ListTransactionsOptions().filterStates(UNDECIDED)).all(), timeout)
                .stream().map(TransactionListing::transactionalId).filter(id -> id.startsWith(group + "."))
                .collect(Collectors.toSet());
        if (undecided.isEmpty())
            return;
        Map<String, Set<String>> clientIds = new HashMap<>();
        undecided.stream().flatMap(id -> Stream.concat(owners(id).stream(), owners(id, FORMER).stream()))
                .map(Owner::group).distinct()
                .forEach(each -> clientIds.put(each, clientIds(each)));
        List<String> dead = dead(undecided, group, self, clientIds, seen);
        if (dead.isEmpty())
            return;
        AdminAnswer.of(admin.fenceProducers(dead).all(), timeout);
        LOG.atInfo().addKeyValue(LogKeys.COUNT, dead.size()).addKeyValue("transactionalIds", dead)
                .log("dead workers fenced");
    }

    private Set<String> clientIds(String each) {
        boolean ours = each.equals(group);
        Set<GroupMembers.Member> found = ours ? saw(members.members()) : members.of(each);
        return found.stream().map(GroupMembers.Member::clientId).collect(Collectors.toSet());
    }
}
