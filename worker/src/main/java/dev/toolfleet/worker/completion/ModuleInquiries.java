package dev.toolfleet.worker.completion;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;

/// Inquiries of one task to modules, and their answers.
///
/// **Threads.** Answers wait here for the task's thread. Only [#answered] may be called from other threads.
///
/// **Why.** Inquiries are not stored: a lost one is due again.
final class ModuleInquiries {
    private final Set<Inquiry> waiting = new LinkedHashSet<>();
    private final Set<Inquiry> underWay = new HashSet<>();
    private final Queue<Answered> answers = new ConcurrentLinkedQueue<>();

    /// One question to a module, or one notice.
    ///
    /// @param what [HandleTimer.Effect#QUESTION] or [HandleTimer.Effect#TELL]
    record Inquiry(HandleTimer.Effect what, String handle, CallPlace call) {}

    /// Inquiry with its answer.
    record Answered(Inquiry inquiry, ModuleAnswer answer) {}

    /// Requests an inquiry. One that is under way is not requested twice.
    void want(Inquiry inquiry) {
        if (!underWay.contains(inquiry))
            waiting.add(inquiry);
    }

    /// Begins the waiting inquiries, the oldest first, until one has no room.
    ///
    /// @param begin false if there is no room; true also for an inquiry that is no longer needed, after it was answered
    void begin(BiPredicate<Inquiry, ModuleInquiries> begin) {
        Iterator<Inquiry> next = waiting.iterator();
        while (next.hasNext()) {
            Inquiry inquiry = next.next();
            if (!begin.test(inquiry, this))
                return;
            underWay.add(inquiry);
            next.remove();
        }
    }

    /// Adds an answer, from any thread.
    void answered(Inquiry inquiry, ModuleAnswer answer) {
        answers.add(new Answered(inquiry, answer));
    }

    /// Returns the answers since the last call of this method.
    List<Answered> take() {
        List<Answered> taken = new ArrayList<>();
        for (Answered next = answers.poll(); next != null; next = answers.poll()) {
            underWay.remove(next.inquiry());
            taken.add(next);
        }
        return taken;
    }
}
