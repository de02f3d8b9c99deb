package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;

/// A call as its caller wrote it.
///
/// @param id names it; no other call of the run has it
/// @param records those that the broker acknowledged, in their order; at least one
public record CallFact(String id, String instance, int partition, Work work, List<Written> records) {
    /// Checks that there is a record.
    public CallFact {
        if (records.isEmpty())
            throw new IllegalArgumentException("records is empty; the call " + id + " was never written");
        records = List.copyOf(records);
    }

    /// The first record, which gives the call its place among the calls of its instance.
    Written first() {
        return records.getFirst();
    }

    boolean inOneTopic() {
        return first().topic() == records.getLast().topic();
    }

    Instant sentAt() {
        return first().at();
    }

    Kind kind() {
        return work.kind();
    }

    Course course() {
        return work.course();
    }

    /// The place of the call, for people who look.
    String where() {
        return kind() + " " + course() + " of " + instance + ", partition " + partition + " offset " + first()
                + ", sent " + sentAt() + (records.size() > 1 ? ", written " + records.size() + " times" : "");
    }
}
