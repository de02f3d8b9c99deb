package dev.toolfleet.bench.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bench.effect.EffectHandlers;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.verdict.CrashReport;
import dev.toolfleet.bench.verdict.Promise;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class CrashRunIT {
    /// Its first fault comes after 3.2 s, and the next worker takes the name of the killed one. Its longest call takes 0.3 s,
    /// one is written twice, three are completed from outside, a person decides about eight, and one answer is long.
    private static final long SEED = 432;

    @Test
    @Timeout(600)
    void everyCallIsAnsweredThoughAWorkerIsKilled(@TempDir Path folder) throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        CrashOptions options = new CrashOptions(Duration.ofSeconds(6), SEED, 20, Set.of(FaultKind.KILL), 1, 0, 0,
                EffectHandlers.JAVA, false);

        CrashReport report = new CrashRun(options, folder, told::add).run();

        assertThat(report.counts().calls()).isEqualTo(120);
        assertThat(report.faults()).extracting(Fault::kind).contains(FaultKind.KILL);
        assertThat(report.counts().effects()).isGreaterThanOrEqualTo(110);
        assertThat(report.counts().pending()).isGreaterThanOrEqualTo(11);
        assertThat(report.violations()).extracting(violation -> violation.promise())
                .doesNotContain(Promise.CALLS_KEPT, Promise.ANSWERED, Promise.ONE_RESULT, Promise.ONCE,
                        Promise.REPLAYS, Promise.CONTENT, Promise.APPROVED, Promise.NO_ERRORS, Promise.WORKERS_LIVE);
        assertThat(report.takeOvers().count()).as("each partition, and those of the killed worker once more")
                .isGreaterThan(CrashFleet.PARTITIONS);
        assertThat(told).isNotEmpty();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    @Timeout(600)
    void everyClientIsAnsweredThoughAGatewayIsKilled(@TempDir Path folder) throws Exception {
        CrashOptions options = new CrashOptions(Duration.ofSeconds(8), SEED, 15, Set.of(FaultKind.GATEWAY), 1, 2, 0,
                EffectHandlers.JAVA, false);

        CrashReport report = new CrashRun(options, folder, line -> {}).run();

        assertThat(report.counts().calls()).isEqualTo(120);
        assertThat(report.faults()).extracting(Fault::kind).contains(FaultKind.GATEWAY);
        assertThat(report.clients()).hasValueSatisfying(
                clients -> assertThat(clients.answered()).isEqualTo(clients.count()).isGreaterThanOrEqualTo(120));
        assertThat(report.violations()).isEmpty();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    @Timeout(600)
    void everyResultHasOneMessageThoughASessionServiceIsKilled(@TempDir Path folder) throws Exception {
        CrashOptions options = new CrashOptions(Duration.ofSeconds(8), SEED, 15, Set.of(FaultKind.SESSION), 1, 0, 2,
                EffectHandlers.JAVA, false);

        CrashReport report = new CrashRun(options, folder, line -> {}).run();

        assertThat(report.counts().calls()).isEqualTo(120);
        assertThat(report.faults()).extracting(Fault::kind).contains(FaultKind.SESSION);
        assertThat(report.messages()).isGreaterThanOrEqualTo(report.counts().results() + 1);
        assertThat(report.violations()).isEmpty();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    @Timeout(600)
    void noCallSendsWithoutApprovalUnderBothLabelsThoughAWorkerIsKilled(@TempDir Path folder) throws Exception {
        CrashOptions options = new CrashOptions(Duration.ofSeconds(10), SEED, 60, Set.of(FaultKind.KILL), 1, 0, 0,
                EffectHandlers.JAVA, true);

        CrashReport report = new CrashRun(options, folder, line -> {}).run();

        assertThat(report.faults()).extracting(Fault::kind).contains(FaultKind.KILL);
        assertThat(report.guarded()).hasValueSatisfying(guarded -> assertThat(guarded.after()).isGreaterThan(5));
        assertThat(report.violations()).extracting(violation -> violation.promise())
                .doesNotContain(Promise.GUARDED, Promise.APPROVED, Promise.ANSWERED, Promise.NO_ERRORS);
    }
}
