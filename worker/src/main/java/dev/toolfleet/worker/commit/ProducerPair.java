package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// The two producers of a worker. They take turns, because a single producer would wait for the markers of its previous
/// transaction. A producer whose transaction failed is set aside for a while, and until the topics that failed can be
/// written.
///
/// **Threads.** Owned by the transaction loop's thread.
///
/// **Why.** An aborted transaction ends with markers in each partition that it had begun to write. A leader with too
/// few replicas in sync accepts no marker, and the coordinator accepts no other transaction of that id before all
/// markers are written. Otherwise: one error event goes to such a topic, and no partition of the worker commits
/// anything until the topic is well again.
final class ProducerPair implements AutoCloseable {
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Member[] members;
    private final Quarantine.Reachability reachability;
    private final LongSupplier nanos;
    private int turn;

    private static final class Member {
        final TransactionalProducer producer;
        boolean aside;
        Set<TopicPartition> targets = Set.of();
        long until;
        @Nullable
        CompletableFuture<Boolean> probe;

        Member(TransactionalProducer producer) {
            this.producer = producer;
        }
    }

    ProducerPair(IntFunction<Producer<byte[], byte[]>> make, Quarantine.Reachability reachability,
            LongSupplier nanos) {
        this.members = new Member[]{new Member(new TransactionalProducer(() -> make.apply(0))),
                new Member(new TransactionalProducer(() -> make.apply(1)))};
        this.reachability = reachability;
        this.nanos = nanos;
    }

    /// Takes both transactional ids, fencing earlier holders.
    void ready() {
        for (Member member : members)
            member.producer.ready();
    }

    /// Returns the producer of the next transaction.
    TransactionalProducer next() {
        if (isAside(members[turn]) && !isAside(members[1 - turn]))
            turn = 1 - turn;
        return members[turn].producer;
    }

    /// Returns the targets for which a producer is set aside: the other one must not write to them.
    Set<TopicPartition> closedTargets() {
        Set<TopicPartition> closed = Set.of();
        for (Member member : members) {
            if (!isAside(member))
                continue;
            closed = closed.isEmpty() ? member.targets : union(closed, member.targets);
        }
        return closed;
    }

    private static Set<TopicPartition> union(Set<TopicPartition> one, Set<TopicPartition> other) {
        Set<TopicPartition> both = new HashSet<>(one);
        both.addAll(other);
        return both;
    }

    private boolean isAside(Member member) {
        if (!member.aside || nanos.getAsLong() - member.until < 0)
            return member.aside;
        CompletableFuture<Boolean> probe = member.probe;
        if (probe == null) {
            probe = reachability.reachable(member.targets);
            member.probe = probe;
        }
        if (!probe.isDone())
            return true;
        member.probe = null;
        if (probe.state() == Future.State.SUCCESS && probe.resultNow()) {
            member.aside = false;
        } else {
            member.until = nanos.getAsLong() + PAUSE_NANOS;
        }
        return member.aside;
    }

    void committed() {
        members[turn].aside = false;
        turn = 1 - turn;
    }

    /// Notes that the transaction failed because these targets could not be written.
    void failed(Set<TopicPartition> targets) {
        Member member = members[turn];
        member.aside = true;
        member.targets = targets;
        member.until = nanos.getAsLong() + PAUSE_NANOS;
        member.probe = null;
    }

    @Override
    public void close() {
        for (Member member : members)
            member.producer.close();
    }
}
