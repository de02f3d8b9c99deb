package dev.toolfleet.cli.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommandRunnerTest {
    private static final FleetConfig CONFIG = FleetConfig.parse("", Map.of(), Map.of());
    private final CommandRunner runner = new CommandRunner(CONFIG, InstantSource.system(), Duration.ofMillis(50));

    @Test
    void jsonIsReadAndNotesAreForPeople() {
        Outcome outcome = runner.query(fleet -> {
            fleet.terminal().print("{\n \"a\": 1}");
            fleet.terminal().note("toolfleet: a warning");
            return Failure.SUCCESS;
        });

        assertThat(outcome.done()).isTrue();
        assertThat(outcome.json().path("a").asInt()).isEqualTo(1);
        assertThat(outcome.lines()).containsExactly("a warning");
    }

    @Test
    void anExitCodeOtherThanZeroIsNotDone() {
        Outcome outcome = runner.change(fleet -> {
            fleet.terminal().note("one was refused");
            fleet.terminal().print("replayed 1");
            return Failure.FAILED;
        });

        assertThat(outcome.done()).isFalse();
        assertThat(outcome.json().isMissingNode()).isTrue();
        assertThat(outcome.lines()).containsExactly("one was refused", "replayed 1");
    }

    @Test
    void failuresBecomeOutcomesAndBugsDoNot() {
        assertThat(failed(Failure.invalid("no such tool")).lines()).containsExactly("before", "no such tool");
        assertThat(failed(new KafkaException("away")).lines()).containsExactly("before", "Kafka: away");
        assertThat(failed(new FleetTopicsException("no topics")).lines()).containsExactly("before", "no topics");
        assertThatThrownBy(() -> failed(new IllegalStateException("a bug"))).hasMessage("a bug");
        assertThat(runner.write(fleet -> Failure.SUCCESS).done()).as("its place is free again").isTrue();
    }

    private Outcome failed(RuntimeException thrown) {
        Outcome outcome = runner.change(fleet -> {
            fleet.terminal().print("before");
            throw thrown;
        });
        assertThat(outcome.done()).isFalse();
        return outcome;
    }

    @Test
    void anInterruptIsKeptForTheCaller() {
        Outcome outcome = runner.query(fleet -> {
            throw new InterruptedException();
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome.done()).isFalse();
        assertThat(outcome.lines()).singleElement().asString().contains("interrupted");
    }

    @Test
    void aThirdReaderWaitsAndIsRefused() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch gate = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome>> readers = List.of(threads.submit(() -> runner.preview(fleet -> hold(begun, gate))),
                    threads.submit(() -> runner.preview(fleet -> hold(begun, gate))));
            begun.await();

            Outcome third = runner.preview(fleet -> Failure.SUCCESS);
            Outcome write = runner.write(fleet -> Failure.SUCCESS);

            gate.countDown();
            assertThat(third.done()).isFalse();
            assertThat(third.lines()).singleElement().asString().contains("still at work");
            assertThat(write.done()).as("it reads no topic").isTrue();
            for (Future<Outcome> reader : readers)
                assertThat(reader.get().done()).isTrue();
            assertThat(runner.preview(fleet -> Failure.SUCCESS).done()).isTrue();
        }
    }

    @Test
    void oneChangeWaitsForAnother() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcome> first = threads.submit(() -> runner.write(fleet -> hold(begun, gate)));
            begun.await();

            Outcome second = runner.change(fleet -> Failure.SUCCESS);
            Outcome read = runner.preview(fleet -> Failure.SUCCESS);

            gate.countDown();
            assertThat(second.done()).isFalse();
            assertThat(read.done()).isTrue();
            assertThat(first.get().done()).isTrue();
        }
    }

    private static int hold(CountDownLatch begun, CountDownLatch gate) throws InterruptedException {
        begun.countDown();
        gate.await();
        return Failure.SUCCESS;
    }
}
