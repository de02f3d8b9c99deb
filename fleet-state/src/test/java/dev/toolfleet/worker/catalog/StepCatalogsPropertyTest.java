package dev.toolfleet.worker.catalog;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.state.ChangeSignal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Whatever is published, removed and forgotten: a view that decodes on demand finds what one that keeps every catalog
/// decoded would, and keeps no more of them than it may.
class StepCatalogsPropertyTest {
    private static final WireCodec<StepCatalog> CODEC = WireCodec.of(StepCatalog.class);
    private static final int STEPS = 400;
    private static final int PARTITIONS = 3;

    private record Held(int partition, StepCatalog catalog) {}

    /// @param instances how many there are, so that many or few are decoded at a time
    /// @param decodedBytes from less than one record to more than all
    @Property(tries = 100)
    void itFindsWhatAMapOfDecodedCatalogsWould(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int instances,
            @ForAll @IntRange(max = 30_000) int decodedBytes) {
        Random random = new Random(seed);
        StepCatalogs steps = new StepCatalogs(new ChangeSignal(), decodedBytes);
        Map<String, Held> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int instance = random.nextInt(instances);
            change(random, steps, model, instance, step);
            assertThat(steps.decodedBytes()).isBetween(0L, (long) decodedBytes);
            int asked = random.nextInt(instances);
            ToolCall call = ToolCall.of("c", "bash__exec", JsonNodeFactory.instance.objectNode(), key(asked))
                    .inStep("coder", "t", "s" + random.nextInt(STEPS), random.nextInt(STEPS));
            Held held = model.get(key(asked));
            assertThat(StepLookup.of(call, steps.newest(key(asked), "coder")))
                    .isEqualTo(StepLookup.of(call, held == null ? null : held.catalog()));
        }
        IntStream.range(0, PARTITIONS).forEach(steps::forget);
        assertThat(steps.decodedBytes()).isZero();
    }

    private static void change(Random random, StepCatalogs steps, Map<String, Held> model, int instance, int step) {
        String key = StepCatalog.key(key(instance), "coder");
        int partition = instance % PARTITIONS;
        switch (random.nextInt(20)) {
            case 0 -> {
                steps.forget(partition);
                model.values().removeIf(held -> held.partition() == partition);
            }
            case 1, 2 -> {
                steps.apply(partition, key, null, 0);
                model.remove(key(instance));
            }
            case 3 -> assertThatThrownBy(() -> steps.apply(partition, key, "{}".getBytes(UTF_8), 0))
                    .as("the one before it stays").isInstanceOf(WireFormatException.class);
            default -> {
                StepCatalog catalog = catalog(random, instance, step);
                steps.apply(partition, key, CODEC.write(catalog), 0);
                model.put(key(instance), new Held(partition, catalog));
            }
        }
    }

    private static StepCatalog catalog(Random random, int instance, int step) {
        List<RecentStep> recent = IntStream.rangeClosed(1, random.nextInt(StepCatalog.RECENT + 1))
                .mapToObj(before -> new RecentStep("t", "s" + (step - before), "sha256:" + (step - before))).toList();
        return new StepCatalog(key(instance), "coder", "t", "s" + step, step, "sha256:" + step, "sha256:policy", "acme",
                1, null, Instant.EPOCH, false, recent);
    }

    private static String key(int instance) {
        return "instance-" + instance;
    }
}
