package dev.toolfleet.session.transcript;

import java.util.List;

/// Repair of a transcript's structure.
///
/// **Contract.** A frame is an assistant's entry with calls, followed by one result for each call. After a repair every
/// result stands in its frame, in the calls' order; every call has one result, unless it runs or waits; no call was
/// invented; entries of users, models and authors keep their order. A repair is linear in the number of entries and
/// calls. A second repair with the same facts changes nothing, and [#detect] then finds nothing.
///
/// **Threads.** Pure functions.
///
/// **Why.** Models reject a transcript with an unanswered call or an unowned result, and agents then fail at every turn.
/// An invented call is worse: the model takes it for its own and repeats it.
public final class Transcript {
    /// Content of the result of a call whose end is not known.
    public static final String UNAVAILABLE = "[Tool result unavailable]";
    /// Content of a result that was empty, and of an unfinished assistant's entry without anything else.
    public static final String ABORTED = "[Execution aborted]";

    private Transcript() {}

    /// Returns the faults that [#repair(List, CallFacts)] would mend.
    public static List<Corruption> detect(List<Entry> entries, CallFacts facts) {
        return repair(entries, facts).report().corruptions();
    }

    /// Returns the faults as a reader finds them that knows nothing but the transcript.
    public static List<Corruption> detect(List<Entry> entries) {
        return detect(entries, CallFacts.NONE);
    }

    /// Repairs a transcript.
    ///
    /// @param entries the whole transcript, oldest first; not changed
    /// @param facts states of unanswered calls
    public static Repaired repair(List<Entry> entries, CallFacts facts) {
        return repair(entries, facts, RepairOptions.DEFAULT);
    }

    /// Repairs a transcript with other choices than the default ones.
    public static Repaired repair(List<Entry> entries, CallFacts facts, RepairOptions options) {
        return new RepairPass(entries, facts, options).run();
    }
}
