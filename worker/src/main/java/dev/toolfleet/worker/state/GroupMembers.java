package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Who is in a consumer group, as its coordinator says. Thread-safe; asks for many at once.
public final class GroupMembers {

    /// A member.
    ///
    /// @param memberId of one membership: a worker that was expelled comes back under another
    /// @param clientId names the worker, see [#clientId]
    public record Member(String memberId, String clientId) {}

    /// @param at before it was asked for
    private record Answer(long at, Set<Member> members) {}

    private final Admin admin;
    private final String group;
    private final Duration keep;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Answer latest;

    /// The members of `group`.
    ///
    /// @param keep for how long a member that was seen counts as one
    /// @param timeout of one question
    public GroupMembers(Admin admin, String group, Duration keep, Duration timeout) {
        this.admin = admin;
        this.group = group;
        this.keep = keep;
        this.timeout = timeout;
    }

    /// The client id of a worker's group member.
    public static String clientId(String worker) {
        return worker + "-poll";
    }

    /// Whether the group has this member. *Yes* may be as old as is kept; *no* was said after this was asked.
    ///
    /// @throws KafkaException when the coordinator does not answer
    public boolean isMember(String memberId) {
        long asked = System.nanoTime();
        Answer known = latest;
        if (known != null && asked - known.at() < keep.toNanos() && has(known, memberId))
            return true;
        lock.lock();
        try {
            known = latest;
            // Whoever waited for the lock may find an answer that is newer than its question.
            if (known == null || known.at() - asked <= 0) {
                known = new Answer(System.nanoTime(), members());
                latest = known;
            }
            return has(known, memberId);
        } finally {
            lock.unlock();
        }
    }

    /// Whether the group has no such member any more, asked anew: who decides on a death cannot use an answer from before.
    ///
    /// @throws KafkaException when the coordinator does not answer
    public boolean hasLeft(String memberId) {
        return members().stream().noneMatch(member -> member.memberId().equals(memberId));
    }

    private static boolean has(Answer answer, String memberId) {
        return answer.members().stream().anyMatch(member -> member.memberId().equals(memberId));
    }

    /// Everybody in the group now.
    ///
    /// @throws KafkaException when the coordinator does not answer, or says that there is nobody, which nobody who asks
    /// on behalf of a member should believe
    public Set<Member> members() {
        Set<Member> members = of(group);
        if (members.isEmpty())
            throw new KafkaException("group " + group + " is said to have no members");
        return members;
    }

    /// Everybody in any group now; nobody when it does not exist.
    ///
    /// @throws KafkaException when the coordinator does not answer
    public Set<Member> of(String anyGroup) {
        try {
            return requireNonNull(AdminAnswer.of(admin.describeConsumerGroups(List.of(anyGroup)).all(), timeout)
                    .get(anyGroup)).members().stream()
                    .map(member -> new Member(member.consumerId(), member.clientId())).collect(Collectors.toSet());
        } catch (GroupIdNotFoundException e) {
            return Set.of();
        }
    }
}
