package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The group coordinator: members, generations, cooperative rebalances, and the group's offsets with those that a
/// transaction still holds.
final class SimGroup {
    static final String ID = "fleet";
    private static final long SESSION_MILLIS = 6_000;
    /// `max.poll.interval.ms`.
    private static final long POLL_MILLIS = 20_000;

    private final Fibers fibers;
    private final SimAssignor assignor;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<TopicPartition, Stored> stored = new LinkedHashMap<>();
    private final Map<SimTransaction, Map<TopicPartition, Stored>> pending = new LinkedHashMap<>();
    private final Set<String> expelled = new HashSet<>();
    private final Map<String, Fibers.Program> everybody = new HashMap<>();
    private int generation;
    private int ids;
    private long appended;
    private boolean preparing;

    SimGroup(Fibers fibers, SimAssignor assignor) {
        this.fibers = fibers;
        this.assignor = assignor;
    }

    private static final class Member {
        final Fibers.Program program;
        long polledAt;
        boolean joined;
        int claimedIn;
        Set<Integer> claims = Set.of();
        Set<Integer> assignment = Set.of();

        Member(Fibers.Program program, long now) {
            this.program = program;
            this.polledAt = now;
        }
    }

    /// @param sequence where the record stands in the offsets topic: the last one counts, whenever its marker comes
    private record Stored(OffsetAndMetadata offset, long sequence) {}

    /// A new member, that joins a rebalance next.
    String admit(Fibers.Program program) {
        String id = "member-" + ++ids;
        members.put(id, new Member(program, fibers.now()));
        everybody.put(id, program);
        rebalance();
        return id;
    }

    /// The member's consumer polls.
    void polls(String id) {
        Member member = members.get(id);
        if (member != null)
            member.polledAt = fibers.now();
    }

    boolean knows(String member) {
        return members.containsKey(member);
    }

    /// True if a member, which may have left long ago, could not always speak for itself: it was expelled, or has died.
    boolean wasSilenced(String member) {
        Fibers.Program program = everybody.get(member);
        return expelled.contains(member) || program == null || program.isDead();
    }

    /// True if the member has work inside its poll.
    boolean calls(@Nullable String member, int its) {
        Member known = member == null ? null : members.get(member);
        return known == null || (preparing ? !known.joined : its < generation);
    }

    /// A rebalance begins; it ends when everybody has joined it.
    void rebalance() {
        preparing = true;
        members.values().forEach(member -> member.joined = false);
    }

    /// Joins the member to the rebalance, if there is one, with its owned partitions and their age.
    void join(String id, Set<Integer> claims, int claimedIn) {
        Member member = member(id);
        if (!preparing || member.joined)
            return;
        member.joined = true;
        member.claims = Set.copyOf(claims);
        member.claimedIn = claimedIn;
        settle();
    }

    private void settle() {
        if (!preparing || members.isEmpty() || !members.values().stream().allMatch(member -> member.joined))
            return;
        preparing = false;
        generation++;
        Map<String, Set<Integer>> owned = new LinkedHashMap<>();
        List<String> newestFirst = new ArrayList<>(members.keySet());
        newestFirst.sort((a, b) -> Integer.compare(member(b).claimedIn, member(a).claimedIn));
        newestFirst.forEach(id -> owned.put(id, member(id).claims));
        assignor.assign(owned).forEach((id, partitions) -> member(id).assignment = partitions);
    }

    /// The generation that the member may take its assignment from; its own when there is nothing new.
    int settled(int its) {
        return preparing ? its : generation;
    }

    Set<Integer> assignment(String id) {
        return member(id).assignment;
    }

    void leave(String id) {
        if (members.remove(id) != null) {
            rebalance();
            settle();
        }
    }

    /// Members that were silent for the session timeout are no longer any, nor are those that have not polled for longer
    /// than a rebalance waits for them.
    void expire() {
        List<String> silent = members.entrySet().stream()
                .filter(entry -> fibers.now() - SESSION_MILLIS > entry.getValue().program.silentSince()
                        || fibers.now() - POLL_MILLIS > entry.getValue().polledAt)
                .map(Map.Entry::getKey).toList();
        expelled.addAll(silent);
        silent.forEach(this::leave);
    }

    /// Checks of the coordinator before it accepts a transaction's offsets.
    void check(String id, int its) {
        if (!members.containsKey(id))
            throw new CommitFailedException("unknown member " + id);
        if (its != generation)
            throw new CommitFailedException("generation " + its + " is not " + generation);
    }

    void pend(SimTransaction transaction, Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> pending.computeIfAbsent(transaction, _ -> new LinkedHashMap<>())
                .put(partition, new Stored(offset, ++appended)));
    }

    void complete(SimTransaction transaction, boolean commit) {
        Map<TopicPartition, Stored> held = pending.remove(transaction);
        if (held != null && commit) {
            held.forEach((partition, one) -> stored.merge(partition, one,
                    (before, after) -> after.sequence() > before.sequence() ? after : before));
        }
    }

    /// Waits until no transaction holds an offset of these partitions.
    void awaitStable(Collection<TopicPartition> partitions, long patience) {
        if (!fibers.await(() -> partitions.stream().allMatch(this::isStable), patience))
            throw new TimeoutException("offsets of partitions " + partitions + " are unstable");
    }

    @Nullable
    OffsetAndMetadata committed(TopicPartition partition) {
        Stored found = stored.get(partition);
        return found == null ? null : found.offset();
    }

    /// Offsets of a topic expire; a coordinator keeps those of partitions that an open transaction commits.
    void expire(String topic) {
        stored.keySet().removeIf(partition -> partition.topic().equals(topic) && isStable(partition));
    }

    /// Offsets of a topic are deleted.
    void forget(String topic) {
        stored.keySet().removeIf(partition -> partition.topic().equals(topic));
    }

    /// Offsets of a topic are set back, as far as `to` lies before them.
    void setBack(String topic, ToLongFunction<TopicPartition> to) {
        stored.replaceAll((partition, one) -> partition.topic().equals(topic)
                ? new Stored(new OffsetAndMetadata(Math.min(one.offset().offset(), to.applyAsLong(partition))),
                        ++appended)
                : one);
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    private boolean isStable(TopicPartition partition) {
        return pending.values().stream().noneMatch(offsets -> offsets.containsKey(partition));
    }

    /// True if the member waits for others to join the next generation.
    boolean isWaiting(@Nullable String id) {
        Member member = id == null ? null : members.get(id);
        return preparing && member != null && member.joined;
    }

    /// True if a process is in the group.
    boolean has(Fibers.Program program) {
        return members.values().stream().anyMatch(member -> member.program == program);
    }

    private Member member(String id) {
        Member member = members.get(id);
        if (member == null)
            throw new IllegalStateException(id + " is no member");
        return member;
    }
}
