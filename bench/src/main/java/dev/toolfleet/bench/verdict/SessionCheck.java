package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Check that each result has one message in its session, in the order of the results. A message with an id that its
/// session has is ignored by every reader; it is a violation all the same, unless two results are owed it: two pending
/// answers of one call have one message.
final class SessionCheck {
    private SessionCheck() {}

    static List<Violation> violations(SessionFacts facts) {
        Map<String, Integer> owed = new HashMap<>();
        Map<String, Set<String>> orderOwed = new HashMap<>();
        Map<String, String> calls = new HashMap<>();
        for (SessionFacts.Owed one : facts.owed()) {
            owed.merge(one.id(), 1, Integer::sum);
            calls.put(one.id(), one.callId());
            orderOwed.computeIfAbsent(one.session(), session -> new LinkedHashSet<>()).add(one.id());
        }
        Map<String, Integer> written = new HashMap<>();
        Map<String, Set<String>> orderWritten = new HashMap<>();
        for (SessionFacts.Message one : facts.written()) {
            written.merge(one.id(), 1, Integer::sum);
            orderWritten.computeIfAbsent(one.session(), session -> new LinkedHashSet<>()).add(one.id());
        }
        List<Violation> found = new ArrayList<>();
        owed.forEach((id, times) -> {
            int count = written.getOrDefault(id, 0);
            if (count < 1 || count > times)
                found.add(new Violation(Promise.ONE_MESSAGE, calls.getOrDefault(id, id),
                        "its result has " + count + " messages " + id + ", for " + times + " results"));
        });
        Set<String> unknown = new HashSet<>(written.keySet());
        unknown.removeAll(owed.keySet());
        unknown.forEach(id -> found.add(new Violation(Promise.ONE_MESSAGE, id, "a message of no result")));
        orderOwed.forEach((session, ids) -> {
            List<String> wanted = new ArrayList<>(ids);
            List<String> had = new ArrayList<>(orderWritten.getOrDefault(session, Set.of()));
            wanted.retainAll(new HashSet<>(had));
            had.retainAll(ids);
            if (!wanted.equals(had))
                found.add(new Violation(Promise.MESSAGE_ORDER, session,
                        "results came as " + wanted + ", and their messages as " + had));
        });
        return found;
    }
}
