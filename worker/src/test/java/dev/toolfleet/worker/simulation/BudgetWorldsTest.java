package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Budgets are never exceeded, in worlds that all have some: 100 in every build, 2,000 with `-Pslow`. Other numbers with
/// `-Dtoolfleet.simulation.budgets=10000`; one world, step by step, with `-Dtoolfleet.simulation.seed=4711`.
@Isolated("silences the engine's logs and computes on every processor")
class BudgetWorldsTest {
    private static final int FEW = 100;
    private static final int SEARCHED = 500;
    private static final int MANY = Integer.getInteger("toolfleet.simulation.budgets", 2_000);

    @BeforeAll
    static void silence() {
        SimulationTest.silence();
    }

    @AfterAll
    static void speak() {
        SimulationTest.speak();
    }

    @Test
    void noBudgetIsExceeded() {
        Long one = Long.getLong("toolfleet.simulation.seed");
        if (one == null) {
            hold(LongStream.range(0, FEW));
            return;
        }
        Trace trace = new Trace(true);
        List<String> violations = new World(one, Plant.NONE, trace, SimBudget.always(one)).run();
        trace.lines().forEach(System.out::println);
        assertThat(violations).isEmpty();
    }

    @Test
    @Tag("slow")
    void noBudgetIsExceededInManyWorlds() {
        hold(LongStream.range(FEW, MANY));
    }

    @ParameterizedTest
    @EnumSource(names = {"FORGOTTEN_BUDGETS", "FORGOTTEN_INTENTS"})
    void theWorldsFindWhatIsForgotten(Plant plant) {
        assertThat(LongStream.range(0, SEARCHED).parallel()
                .anyMatch(seed -> new World(seed, plant, new Trace(false), SimBudget.always(seed)).run().stream()
                        .anyMatch(violation -> violation.startsWith(plant.violation))))
                .as(plant.bug).isTrue();
    }

    private static void hold(LongStream seeds) {
        Map<Long, List<String>> failed = new ConcurrentSkipListMap<>();
        AtomicInteger refusing = new AtomicInteger();
        seeds.parallel().forEach(seed -> {
            World world = new World(seed, Plant.NONE, new Trace(false), SimBudget.always(seed));
            List<String> violations = world.run();
            if (BudgetChecks.refuses(world))
                refusing.incrementAndGet();
            if (!violations.isEmpty())
                failed.put(seed, violations);
        });
        assertThat(failed).as("violations by seed").isEmpty();
        assertThat(refusing.get()).as("worlds in which a budget was exhausted").isGreaterThan(FEW / 4);
    }
}
