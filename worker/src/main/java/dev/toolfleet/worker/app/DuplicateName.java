package dev.toolfleet.worker.app;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out, when a producer of this worker was fenced, whether another worker goes by its name: two of them would
/// fence each other for ever. Thread-safe.
final class DuplicateName {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateName.class);

    private final WorkerConfig.Identity self;
    private final Supplier<Set<GroupMembers.Member>> members;
    private final Supplier<String> memberId;
    private final Runnable pause;
    private final Consumer<Throwable> found;
    private final AtomicBoolean looking = new AtomicBoolean();

    /// @param members everybody in the group; may wait, and throw a `KafkaException`
    /// @param memberId this worker's own
    /// @param pause waits for longer than a membership lasts that nobody keeps up
    /// @param found told the error with which the worker should end
    DuplicateName(WorkerConfig.Identity self, Supplier<Set<GroupMembers.Member>> members, Supplier<String> memberId,
            Runnable pause, Consumer<Throwable> found) {
        this.self = self;
        this.members = members;
        this.memberId = memberId;
        this.pause = pause;
        this.found = found;
    }

    /// Looks on a thread of its own, one at a time: whoever was fenced has other things to do.
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
    /// frozen finds its own former membership, or one that it is about to take up. Only who is there for longer than such
    /// a membership lasts, and is never us, is another.
    void look() {
        Set<String> others = others();
        if (!others.isEmpty()) {
            pause.run();
            others.retainAll(others());
        }
        if (others.isEmpty()) {
            LOG.atInfo().addKeyValue(LogKeys.WORKER, self.name()).log("a producer was fenced; no other has this name");
        } else {
            found.accept(new IllegalStateException("another worker named '" + self.name() + "' runs in group '"
                    + self.group() + "'; give each worker its own worker.name"));
        }
    }

    private Set<String> others() {
        return members.get().stream().filter(member -> member.clientId().equals(GroupMembers.clientId(self.name())))
                .map(GroupMembers.Member::memberId).filter(id -> !id.equals(memberId.get()))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
