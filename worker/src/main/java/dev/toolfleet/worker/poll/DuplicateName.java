package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps two workers of one name apart: they would fence each other's producers for ever. Thread-safe.
///
/// **Contract.** Of two workers of one name exactly one ends, with an error that names it.
/// - A worker that starts looks before it takes its transactional ids. Another of its name that stays in the group for
///   longer than an abandoned membership lasts is alive: the newcomer refuses to start, and has fenced nothing. A process
///   that was killed leaves a membership that ends meanwhile.
/// - Two that start together see no other, take the same ids in turns, and each finds its producer fenced. Both look; the
///   one with the higher member id ends.
///
/// Otherwise: the one fenced first is still in the group when the other looks, each sees the other, and both end.
final class DuplicateName {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateName.class);
    private static final int LOOKS = 64;

    private final MemberIdentity self;
    private final Supplier<Set<GroupMembers.Member>> members;
    private final Supplier<String> memberId;
    private final Consumer<Duration> pause;
    private final Consumer<Throwable> found;
    private final AtomicBoolean looking = new AtomicBoolean();

    /// @param members everybody in the group; may wait, and throw a `KafkaException`
    /// @param memberId this worker's own; empty before it has joined
    /// @param pause waits for a time
    /// @param found takes the error with which the worker should end
    DuplicateName(MemberIdentity self, Supplier<Set<GroupMembers.Member>> members, Supplier<String> memberId,
            Consumer<Duration> pause, Consumer<Throwable> found) {
        this.self = self;
        this.members = members;
        this.memberId = memberId;
        this.pause = pause;
        this.found = found;
    }

    /// The same in real time.
    static DuplicateName of(MemberIdentity self, Supplier<Set<GroupMembers.Member>> members,
            Ownership ownership, Consumer<Throwable> found) {
        return new DuplicateName(self, members, () -> ownership.current().group().memberId(),
                time -> LockSupport.parkNanos(time.toNanos()), found);
    }

    /// Longer than a membership lasts that is not kept up, in a group at rest.
    private Duration outlasting() {
        return self.sessionTimeout().multipliedBy(2);
    }

    /// Comes before this worker's producers take their ids.
    ///
    /// @throws IllegalStateException when another worker has this name
    void refuseIfTaken() {
        Set<String> others = others();
        if (!others.isEmpty())
            LOG.atWarn().addKeyValue(LogKeys.WORKER, self.name())
                    .log("a worker of this name is in the group; waiting for the end of its membership");
        for (int look = 0; look < LOOKS && !others.isEmpty(); look++) {
            pause.accept(self.longestMembership().dividedBy(LOOKS));
            others.retainAll(others());
        }
        if (!others.isEmpty())
            throw taken();
    }

    /// Another producer has taken one of this worker's ids. Looks for another worker on a thread of its own, one at a time.
    void fenced() {
        if (looking.compareAndSet(false, true))
            Thread.ofPlatform().name("duplicate-name").daemon().start(() -> {
                try {
                    look();
                } catch (KafkaException e) {
                    LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString())
                            .log("a producer was fenced; the group's members are not known, so not by whom");
                } finally {
                    looking.set(false);
                }
            });
    }

    /// An heir fences a worker that it misses in the group, so there need not be another of our name: a worker that was
    /// frozen finds its own former membership, or one that it is about to take up.
    void look() {
        Set<String> others = others();
        if (!others.isEmpty()) {
            pause.accept(outlasting());
            others.retainAll(others());
        }
        String own = memberId.get();
        if (others.isEmpty()) {
            LOG.atInfo().addKeyValue(LogKeys.WORKER, self.name()).log("a producer was fenced; no other has this name");
        } else if (!own.isEmpty() && others.stream().allMatch(other -> own.compareTo(other) < 0)) {
            LOG.atWarn().addKeyValue(LogKeys.WORKER, self.name())
                    .log("another worker has this name; this one goes on, and the other has to end");
        } else {
            found.accept(taken());
        }
    }

    private IllegalStateException taken() {
        return new IllegalStateException("another worker named '" + self.name() + "' runs in group '" + self.group()
                + "'; give each worker its own worker.name");
    }

    private Set<String> others() {
        return members.get().stream().filter(member -> member.clientId().equals(GroupMembers.clientId(self.name())))
                .map(GroupMembers.Member::memberId).filter(id -> !id.equals(memberId.get()))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
