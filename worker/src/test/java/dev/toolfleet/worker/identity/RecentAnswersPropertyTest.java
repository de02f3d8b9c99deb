package dev.toolfleet.worker.identity;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import static org.assertj.core.api.Assertions.assertThat;

/// The ring equals an ordered map of objects, whatever is added, replaced and removed.
class RecentAnswersPropertyTest {
    private static final int STEPS = 3_000;

    /// @param identities how many there are, so that few are replaced or many
    /// @param homes how many places of the table they want, so that they stand in each other's way
    /// @param kept how many are kept at most
    @Property(tries = 200)
    void theRingIsAnOrderedMap(@ForAll long seed, @ForAll @IntRange(min = 1, max = 2_000) int identities,
            @ForAll @IntRange(min = 1, max = 300) int homes, @ForAll @IntRange(min = 1, max = 700) int kept) {
        Random random = new Random(seed);
        RecentAnswers ring = new RecentAnswers();
        Map<Digest128, EarlierAnswer> model = new LinkedHashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int number = random.nextInt(identities);
            Digest128 identity = identity(number, homes);
            if (random.nextInt(10) > 0) {
                EarlierAnswer answer = new EarlierAnswer(new Digest128(step, -step), step, random.nextInt(1_000));
                ring.add(identity, answer);
                model.remove(identity);
                model.put(identity, answer);
            } else if (!model.isEmpty()) {
                ring.removeOldest();
                removeOldest(model);
            }
            if (model.size() > kept) {
                ring.removeOldest();
                removeOldest(model);
            }
            assertThat(ring.size()).isEqualTo(model.size());
            assertThat(ring.oldest()).isEqualTo(model.isEmpty() ? -1 : model.values().iterator().next().answeredAt());
            assertThat(ring.find(identity)).isEqualTo(model.get(identity));
        }
        for (int number = 0; number < identities; number++) {
            Digest128 identity = identity(number, homes);
            assertThat(ring.find(identity)).isEqualTo(model.get(identity));
        }
    }

    /// Its place in the table depends on what is the same for many.
    private static Digest128 identity(int number, int homes) {
        return new Digest128(number, number ^ (number % homes));
    }

    private static void removeOldest(Map<Digest128, EarlierAnswer> model) {
        Iterator<EarlierAnswer> each = model.values().iterator();
        each.next();
        each.remove();
    }
}
