package dev.toolfleet.gateway.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Any order in which the read model reads its topics has the same outcome.
class CallOrderPropertyTest {
    private static final String SEED = "20261124";

    /// Stores, views, events and heads at the end.
    private record Outcome(Map<String, String> content, List<Optional<CallView>> views,
            List<Optional<CallEvents>> events, List<Optional<CallSummary>> heads) {}

    @Property(tries = 40, shrinking = ShrinkingMode.OFF, seed = SEED)
    void anyOrderOfTheTopicsHasTheSameOutcome(@ForAll long seed) {
        Random random = new Random(seed);
        Timeline timeline = new Timeline(random);
        Outcome inTime = outcome(timeline.records, timeline.calls);
        Outcome mixed = outcome(mixed(timeline.records, random), timeline.calls);

        assertThat(mixed.views()).isEqualTo(inTime.views());
        assertThat(mixed.events()).isEqualTo(inTime.events());
        assertThat(mixed.content()).isEqualTo(inTime.content());
        assertThat(inTime.views()).allSatisfy(view -> assertThat(view).isPresent());
        for (int i = 0; i < timeline.calls; i++)
            assertThat(inTime.views().get(i).orElseThrow().stage() == CallStage.ENDED).isEqualTo(timeline.ended.get(i));
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF, seed = SEED)
    void aHeadIsThatOfTheViewWheneverItIsRead(@ForAll long seed) {
        Random random = new Random(seed);
        Timeline timeline = new Timeline(random);
        List<CallRecords.Written> records = mixed(timeline.records, random);
        Outcome some = outcome(records.subList(0, random.nextInt(records.size() + 1)), timeline.calls);

        for (int i = 0; i < timeline.calls; i++)
            assertThat(some.heads().get(i)).isEqualTo(summary(some, i));
    }

    private static Optional<CallSummary> summary(Outcome outcome, int call) {
        return outcome.views().get(call)
                .map(view -> summary(view, outcome.events().get(call).orElseThrow().events().getLast().at()));
    }

    /// @param at the time of the latest event
    private static CallSummary summary(CallView view, Instant at) {
        CallSummary accepted = CallSummary.accepted(view.id(), view.call(), view.acceptedAt());
        ToolResult result = view.result();
        if (result == null)
            return accepted.in(view.stage(), view.pending() != null && view.pending().replayed());
        return accepted.ended(result.status(), result.error() == null ? null : result.error().code(), at,
                result.replayed());
    }

    /// Returns the records in another order, which keeps that of each topic.
    private static List<CallRecords.Written> mixed(List<CallRecords.Written> records, Random random) {
        Map<Topic, Deque<CallRecords.Written>> topics = new EnumMap<>(Topic.class);
        records.forEach(record -> topics.computeIfAbsent(record.topic(), _ -> new ArrayDeque<>()).add(record));
        List<CallRecords.Written> mixed = new ArrayList<>();
        while (!topics.isEmpty()) {
            Topic next = new ArrayList<>(topics.keySet()).get(random.nextInt(topics.size()));
            Deque<CallRecords.Written> left = requireNonNull(topics.get(next));
            // Runs of one topic, up to all of it.
            for (int i = 1 + random.nextInt(1 << random.nextInt(6)); i > 0 && !left.isEmpty(); i--)
                mixed.add(left.remove());
            if (left.isEmpty())
                topics.remove(next);
        }
        return mixed;
    }

    private static Outcome outcome(List<CallRecords.Written> records, int calls) {
        Path folder = folder();
        try (ReadModelDriver model = new ReadModelDriver(folder)) {
            model.read(records.toArray(CallRecords.Written[]::new));
            List<Optional<CallView>> views = new ArrayList<>();
            List<Optional<CallEvents>> events = new ArrayList<>();
            List<Optional<CallSummary>> heads = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                heads.add(model.head(i));
                views.add(model.view(i));
                events.add(model.events(i, null));
            }
            // The counts of minutes are written.
            model.pass(Duration.ofSeconds(1));
            return new Outcome(model.content(), views, events, heads);
        } finally {
            delete(folder);
        }
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("read-model");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Calls and all that happens to them, in the order of time.
    private static final class Timeline {
        private final Random random;
        private final List<CallRecords.Written> records = new ArrayList<>();
        private final List<Boolean> ended = new ArrayList<>();
        private final int calls;
        private long second;

        Timeline(Random random) {
            this.random = random;
            this.calls = 1 + random.nextInt(5);
            List<Deque<Runnable>> lives = new ArrayList<>();
            for (int i = 0; i < calls; i++)
                lives.add(life(i));
            // The calls of one partition are appended in their order.
            lives.forEach(life -> life.remove().run());
            while (lives.stream().anyMatch(life -> !life.isEmpty()))
                Optional.ofNullable(lives.get(random.nextInt(calls)).poll()).ifPresent(Runnable::run);
        }

        private void add(CallRecords.Written record) {
            records.add(record);
        }

        private Instant now() {
            return CallRecords.START.plusSeconds(second++);
        }

        private Deque<Runnable> life(int offset) {
            // Every third call repeats the identity of the first.
            ToolCall call = CallRecords.call("chat-" + offset % 2, offset % 3 == 2 ? "c0" : "c" + offset);
            Deque<Runnable> life = new ArrayDeque<>();
            life.add(() -> add(CallRecords.called(call, now())));
            reports(call, offset, life);
            // The first call waits, and its duplicate gets the pending result.
            if (random.nextInt(6) == 0)
                life.add(() -> add(CallRecords.result(call, offset, ResultStatus.PENDING, "h0-1", true, now())));
            for (int wait = random.nextInt(3); wait > 0; wait--)
                waits(call, offset, "h" + offset + "-" + wait, random.nextBoolean(), life);
            boolean ends = random.nextInt(4) > 0;
            ended.add(ends);
            if (ends) {
                boolean repeated = random.nextInt(4) == 0;
                life.add(() -> add(CallRecords.result(call, offset,
                        random.nextBoolean() ? ResultStatus.OK : ResultStatus.ERROR, null, repeated, now())));
                reports(call, offset, life);
                if (random.nextInt(4) == 0)
                    life.add(() -> add(CallRecords.result(call, offset, ResultStatus.OK, null, true, now())));
            }
            return life;
        }

        private void reports(ToolCall call, int offset, Deque<Runnable> life) {
            for (int i = random.nextInt(random.nextInt(8) == 0 ? 50 : 4); i > 0; i--)
                life.add(() -> add(CallRecords.progress(call, offset, random.nextInt(100), now())));
        }

        private void waits(ToolCall call, int offset, String handle, boolean asks, Deque<Runnable> life) {
            PendingCall pending = CallRecords.pending(call, 0, offset, handle, asks ? "r1" : null, now());
            life.add(() -> add(CallRecords.waits(pending, now())));
            life.add(() -> add(CallRecords.result(call, offset, ResultStatus.PENDING, handle, now())));
            if (random.nextInt(3) == 0)
                life.add(() -> add(CallRecords.waits(pending.approvedBy(List.of("ann")), now())));
            for (int i = random.nextInt(3); i > 0; i--)
                life.add(() -> add(CallRecords.decided(Decision.approve(handle, "ann", null), now())));
            reports(call, offset, life);
            life.add(() -> add(CallRecords.closed(handle, now())));
            if (random.nextInt(3) == 0)
                life.add(() -> add(CallRecords.decided(Decision.reject(handle, "bob", "late"), now())));
        }
    }
}
