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

/// Members of a consumer group, from its coordinator. Thread-safe; one request serves many callers.
public final class GroupMembers {

    /// Member of a group.
    ///
    /// @param memberId of one membership: a worker that was expelled comes back under another
    /// @param clientId names the worker, see [#clientId]
    public record Member(String memberId, String clientId) {}

    /// @param at time before the request
    private record Answer(long at, Set<Member> members) {}

    private final Admin admin;
    private final String group;
    private final Duration keep;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Answer latest;

    /// Creates a reader for the members of `group`.
    ///
    /// @param keep the time for which a member that was seen counts as one
    /// @param timeout of one request
    public GroupMembers(Admin admin, String group, Duration keep, Duration timeout) {
        this.admin = admin;
        this.group = group;
        this.keep = keep;
        this.timeout = timeout;
    }

    /// Returns the client id of a worker's group member.
    public static String clientId(String worker) {
        return worker + "-poll";
    }

    /// True if the group has this member. *True* may be as old as `keep`; *false* is newer than this call.
    ///
    /// @throws KafkaException if the coordinator does not answer
    public boolean isMember(String memberId) {
        long asked = System.nanoTime();
        Answer known = latest;
        if (known != null && asked - known.at() < keep.toNanos() && has(known, memberId))
            return true;
        lock.lock();
        try {
            known = latest;
            // A thread that waited for the lock may find an answer that is newer than its own request.
            if (known == null || known.at() - asked <= 0) {
                known = new Answer(System.nanoTime(), members());
                latest = known;
            }
            return has(known, memberId);
        } finally {
            lock.unlock();
        }
    }

    /// True if the group has no such member any more. Makes a new request, because an earlier answer cannot decide on a
    /// death.
    ///
    /// @throws KafkaException if the coordinator does not answer
    public boolean hasLeft(String memberId) {
        return members().stream().noneMatch(member -> member.memberId().equals(memberId));
    }

    private static boolean has(Answer answer, String memberId) {
        return answer.members().stream().anyMatch(member -> member.memberId().equals(memberId));
    }

    /// Returns the present members of the group.
    ///
    /// @throws KafkaException if the coordinator does not answer, or answers that there is no member, which cannot be
    /// right for a caller that is one
    public Set<Member> members() {
        Set<Member> members = of(group);
        if (members.isEmpty())
            throw new KafkaException("group " + group + " has no members, by its coordinator's answer");
        return members;
    }

    /// Returns the present members of any group; none if it does not exist.
    ///
    /// @throws KafkaException if the coordinator does not answer
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
