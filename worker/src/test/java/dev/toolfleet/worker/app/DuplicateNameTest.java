package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.toolfleet.worker.state.GroupMembers.Member;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DuplicateNameTest {
    private final List<Throwable> found = new ArrayList<>();

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

    private void look(Member... members) {
        new DuplicateName(new WorkerConfig.Identity("g", "x", "classic", Duration.ofSeconds(6)), () -> Set.of(members),
                () -> "m1", found::add).look();
    }
}
