package dev.toolfleet.console.page;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.gateway.lists.FleetLists;

/// Calls that wait for a person, read from their topic once for all pages that need them at a moment.
///
/// **Contract.** A reader gets a list whose reading began after it had asked. So a page that has seen a new call in the
/// read model finds it in the list.
///
/// **Threads.** Thread-safe. One thread reads at a time; those that come meanwhile wait, and share the next reading.
final class OpenApprovals {
    private final FleetLists lists;
    private final InstantSource clock;
    private final ReentrantLock reading = new ReentrantLock();
    private List<OpenApproval> last = List.of();
    private long began = Long.MIN_VALUE;

    OpenApprovals(FleetLists lists, InstantSource clock) {
        this.lists = lists;
        this.clock = clock;
    }

    /// Returns the open calls, the oldest first.
    ///
    /// @throws dev.toolfleet.http.ProblemException when the topic cannot be read now
    List<OpenApproval> now() {
        long asked = System.nanoTime();
        reading.lock();
        try {
            if (began == Long.MIN_VALUE || began - asked < 0) {
                long beginning = System.nanoTime();
                last = Rights.value(lists.approvals(each -> !each.isOverdue(clock.instant())));
                began = beginning;
            }
            return last;
        } finally {
            reading.unlock();
        }
    }
}
