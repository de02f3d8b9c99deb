package dev.toolfleet.bench.pending;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.pending.PendingReport.Ends;
import dev.toolfleet.bench.pending.PendingRun.PendingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(600)
@Tag("slow")
class PendingRunIT {
    @Test
    void pendingCallsTakeNoThreadAndEndOnceEach(@TempDir Path folder) throws Exception {
        List<String> told = new ArrayList<>();

        PendingReport report = new PendingRun(new PendingOptions(300), folder, told::add).run();

        assertThat(report.ends()).isEqualTo(new Ends(300, 0, 0));
        assertThat(report.addedThreads()).isEmpty();
        assertThat(report.idle().liveBytes()).isPositive();
        assertThat(told).hasSize(3);
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    /// Issue 3: killing the worker between the pending result and the completion changes nothing but the wait.
    @Test
    void aWorkerThatIsKilledMeanwhileChangesNothingButTheWait(@TempDir Path folder) throws Exception {
        try (SoloFleet fleet = SoloFleet.start(folder, PendingTools.class);
                PendingTraffic calls = new PendingTraffic(fleet)) {
            calls.makePending(40);
            List<String> handles = List.copyOf(calls.tally().handles());
            calls.complete(handles.subList(0, 10));
            calls.awaitEnded(10);

            fleet.killWorker();
            calls.complete(handles.subList(10, 30));
            fleet.replaceWorker();
            calls.awaitEnded(30);
            calls.complete(handles.subList(30, 40));
            calls.awaitEnded(40);

            fleet.stopWorker();
            calls.readToTheEnd();
            assertThat(calls.tally().pending()).isEqualTo(40);
            assertThat(calls.tally().ended()).isEqualTo(40);
            assertThat(calls.tally().twice()).isZero();
            assertThat(calls.tally().failed()).isZero();
        }
    }
}
