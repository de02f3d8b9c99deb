package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.worker.state.GroupMembers.Member;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DuplicateNameTest {
    private final List<Throwable> found = new ArrayList<>();

    private String current = "m1";
    private String next = "m1";
    private @Nullable Set<Member> later;

    @Test
    void anotherMemberOfTheSameNameEndsTheWorkerWithAnErrorThatNamesIt() {
        look(new Member("m1", "x-poll"), new Member("m2", "x-poll"));

        assertThat(found).singleElement().extracting(Throwable::getMessage).isEqualTo(
                "another worker named 'x' runs in group 'g'; give each worker its own worker.name");
    }

    @Test
    void aWorkerThatIsAloneOfItsNameGoesOn() {
        look(new Member("m1", "x-poll"), new Member("m2", "xx-poll"), new Member("m3", "y-poll"));

        assertThat(found).isEmpty();
    }

    // It was frozen: an heir fenced it, and it has just joined again, under a member id that it does not know yet.
    @Test
    void aWorkerDoesNotTakeItsOwnFormerOrNextMembershipForAnother() {
        current = "former";
        next = "m1";
        look(new Member("former", "x-poll"), new Member("m1", "x-poll"));
        assertThat(found).isEmpty();

        current = "m1";
        next = "m1";
        later = Set.of(new Member("m1", "x-poll"));
        look(new Member("former", "x-poll"), new Member("m1", "x-poll"));
        assertThat(found).isEmpty();
    }

    private void look(Member... members) {
        AtomicReference<Set<Member>> group = new AtomicReference<>(Set.of(members));
        new DuplicateName(new WorkerConfig.Identity("g", "x", Duration.ofSeconds(6), Duration.ofSeconds(30)),
                group::get,
                () -> current, () -> {
                    current = next;
                    if (later != null)
                        group.set(later);
                }, found::add).look();
    }
}
