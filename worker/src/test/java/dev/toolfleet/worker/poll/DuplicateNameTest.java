package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.worker.state.GroupMembers.Member;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DuplicateNameTest {
    private static final MemberIdentity X = new MemberIdentity("g", "x", Duration.ofSeconds(6));

    private final List<Throwable> found = new ArrayList<>();

    private String current = "m1";
    private String next = "m1";
    private @Nullable Set<Member> later;

    @Test
    void anotherMemberOfTheSameNameEndsTheWorkerWithAnErrorThatNamesIt() {
        look(new Member("m1", "x-poll"), new Member("m0", "x-poll"));

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

    @Test
    void ofTwoWorkersOfOneNameThatFenceEachOtherOneGoesOn() {
        Set<Member> group = Set.of(new Member("x-poll-b", "x-poll"), new Member("x-poll-a", "x-poll"));
        List<String> ended = new ArrayList<>();
        for (Member self : group)
            new DuplicateName(X, () -> group, self::memberId, _ -> {}, _ -> ended.add(self.memberId())).look();

        assertThat(ended).containsExactly("x-poll-b");
    }

    @Test
    void aNewcomerRefusesToStartBesideALivingWorkerOfItsName() {
        List<Duration> pauses = new ArrayList<>();
        DuplicateName newcomer = new DuplicateName(X,
                () -> Set.of(new Member("m1", "x-poll"), new Member("m2", "y-poll")), () -> "", pauses::add,
                found::add);

        assertThatThrownBy(newcomer::refuseIfTaken).isInstanceOf(IllegalStateException.class).hasMessage(
                "another worker named 'x' runs in group 'g'; give each worker its own worker.name");
        assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus)).as("no abandoned membership lasts so long")
                .isGreaterThan(X.longestRebalance().plus(X.sessionTimeout()));
        assertThat(found).isEmpty();
    }

    @Test
    void aNewcomerStartsAsSoonAsTheMembershipOfItsKilledPredecessorEnds() {
        AtomicReference<Set<Member>> group = new AtomicReference<>(Set.of(new Member("m1", "x-poll")));
        List<Duration> pauses = new ArrayList<>();
        new DuplicateName(X, group::get, () -> "", pause -> {
            pauses.add(pause);
            if (pauses.size() == 3)
                group.set(Set.of(new Member("m2", "y-poll")));
        }, found::add).refuseIfTaken();

        assertThat(pauses).hasSize(3);
    }

    @Test
    void aNewcomerOfANameThatIsFreeWaitsForNothing() {
        new DuplicateName(X, Set::of, () -> "", _ -> {
            throw new AssertionError("waited");
        }, found::add).refuseIfTaken();
    }

    private void look(Member... members) {
        AtomicReference<Set<Member>> group = new AtomicReference<>(Set.of(members));
        new DuplicateName(X, group::get,
                () -> current, _ -> {
                    current = next;
                    if (later != null)
                        group.set(later);
                }, found::add).look();
    }
}
