package dev.toolfleet.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Count of kinds of records that this version does not know: values of enumerated fields, types of steps, entries of
/// the journal. A later version wrote them.
///
/// **Contract.** Each kind is logged once at WARN, not each record of it. A process names up to 100 kinds; the count
/// goes on. A kind that is not a plain word is not shown, since any writer may have chosen it.
///
/// **Threads.** Thread-safe. One for the process, as the codecs are.
public final class UnknownKinds {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownKinds.class);
    private static final int MOST_NAMED = 100;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final LongAdder MET = new LongAdder();
    private static final Set<String> NAMED = ConcurrentHashMap.newKeySet();

    private UnknownKinds() {}

    /// The number of unknown kinds that this process has read.
    public static long met() {
        return MET.sum();
    }

    /// Counts an unknown kind.
    ///
    /// @param of the record or field with the kind, such as `PendingCall.Kind`
    /// @param kind its text in the record
    static void meet(String of, String kind) {
        MET.increment();
        String shown = WORD.matcher(kind).matches() ? kind : "not shown";
        if (NAMED.size() < MOST_NAMED && NAMED.add(of + ' ' + shown)) {
            LOG.atWarn().addKeyValue("record", of).addKeyValue("kind", shown)
                    .log("record of a kind that this version does not know, written by a later one");
        }
    }

    /// The name of an enumeration or record without its package.
    static String nameOf(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return outer == null ? type.getSimpleName() : outer.getSimpleName() + "." + type.getSimpleName();
    }
}
