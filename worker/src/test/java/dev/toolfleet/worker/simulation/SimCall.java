package dev.toolfleet.worker.simulation;

import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A call as its caller wrote it.
///
/// @param id the model's id, which may repeat
/// @param argument of the tool; another one makes another fingerprint
record SimCall(int partition, long offset, String instance, Kind kind, String id, int argument) {
    enum Kind {
        /// Read-only.
        READ,
        /// Idempotent.
        REPEAT,
        /// Neither; it cannot be found out whether it happened.
        ONCE,
        /// Neither; the tool can say whether it happened.
        SURE,
        /// Idempotent; finishes later.
        ASK,
        /// Neither; finishes later. Of some the tool can say whether they were begun.
        ORDER,
        /// Idempotent; a person has to approve it.
        SHOW,
        /// Neither; a person has to approve it. Of some the tool can say whether they happened.
        CARE,
        /// Neither; a person has to approve it, and then it finishes later. Of some the tool can say whether they were
        /// begun.
        DEAL;

        boolean isJournaled() {
            return this == ONCE || this == SURE || this == ORDER || this == CARE || this == DEAL;
        }

        boolean finishesLater() {
            return this == ASK || this == ORDER || this == DEAL;
        }

        /// True if a person has to approve it.
        boolean asks() {
            return this == SHOW || this == CARE || this == DEAL;
        }

        /// The kind of tool that a name stands for.
        static Kind of(String tool) {
            return valueOf(tool.substring(0, tool.indexOf("__")).toUpperCase(Locale.ROOT));
        }
    }

    String key() {
        return key(partition, offset);
    }

    static String key(int partition, long offset) {
        return partition + "/" + offset;
    }

    /// Its place and the model's id: after a topic has lost records, its place may be another call's.
    String mark() {
        return mark(partition, offset, id);
    }

    static String mark(int partition, long offset, String id) {
        return key(partition, offset) + " " + id;
    }

    /// True if its result is larger than brokers allow.
    boolean isLarge() {
        return argument % 20 == 7;
    }

    /// True if the result of its outcome is, when it finishes later.
    boolean endsLarge() {
        return kind.finishesLater() && argument % 20 == 9;
    }

    /// Stage at which a call kills the process that runs it, in worlds with such calls.
    enum Death {
        NOWHERE,
        /// Before its intent.
        POLICY,
        /// In its handler, before or after it has done something outside.
        HANDLER_BEFORE, HANDLER_AFTER,
        /// Behind its handler.
        GUARD
    }

    /// Returns the stage at which it kills its process.
    Death death() {
        return argument % 8 == 5 ? Death.values()[1 + argument / 8 % 4] : Death.NOWHERE;
    }

    /// True if its tool can answer whether it happened.
    boolean canTell() {
        return kind == Kind.SURE
                || ((kind == Kind.ORDER || kind == Kind.CARE || kind == Kind.DEAL) && argument % 2 == 0);
    }

    /// Returns the handle for which it waits, when it finishes later: one of its own, or one that the same call would
    /// get again.
    String handle(int attempt) {
        return argument % 3 == 0 ? "of " + key() : identity() + "#" + attempt;
    }

    /// Returns its identity, for comparisons.
    String identity() {
        return "[\"" + instance + "\",\"a\",\"t\",\"s\",\"" + id + "\"]";
    }

    byte[] json() {
        return ("{\"id\":\"" + id + "\",\"name\":\"" + kind.name().toLowerCase(Locale.ROOT) + "__x\",\"instanceKey\":\""
                + instance + "\",\"agentName\":\"a\",\"turnId\":\"t\",\"stepId\":\"s\",\"args\":{\"n\":" + argument
                + "}}").getBytes(UTF_8);
    }
}
