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

/// Which modules this task wants to ask or tell, and what they answered. Answers wait here for the task's thread, which
/// alone calls everything but [#answered]. Nothing of it is stored: what gets lost is due again.
final class Inquiries {
    private final Set<Inquiry> waiting = new LinkedHashSet<>();
    private final Set<Inquiry> underWay = new HashSet<>();
    private final Queue<Answered> answers = new ConcurrentLinkedQueue<>();

    /// One question, or one thing to be told.
    ///
    /// @param what [Due.What#QUESTION] or [Due.What#TELL]
    record Inquiry(Due.What what, String handle, CallPlace call) {}

    /// What came of it.
    record Answered(Inquiry inquiry, Answer answer) {}

    /// Wants it done; once, however often it is wanted.
    void want(Inquiry inquiry) {
        if (!underWay.contains(inquiry))
            waiting.add(inquiry);
    }

    /// Begins what waits, the oldest first, until one cannot.
    ///
    /// @param begin false when there is no room; true also for what is no longer of interest, after it was answered
    void begin(BiPredicate<Inquiry, Inquiries> begin) {
        Iterator<Inquiry> next = waiting.iterator();
        while (next.hasNext()) {
            Inquiry inquiry = next.next();
            if (!begin.test(inquiry, this))
                return;
            underWay.add(inquiry);
            next.remove();
        }
    }

    /// From any thread.
    void answered(Inquiry inquiry, Answer answer) {
        answers.add(new Answered(inquiry, answer));
    }

    /// What was answered since the last time.
    List<Answered> take() {
        List<Answered> taken = new ArrayList<>();
        for (Answered next = answers.poll(); next != null; next = answers.poll()) {
            underWay.remove(next.inquiry());
            taken.add(next);
        }
        return taken;
    }
}
