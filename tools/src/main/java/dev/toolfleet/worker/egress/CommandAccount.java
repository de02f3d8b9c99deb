package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Account of one command: its permitted destinations, and the used part of its share. Thread-safe.
final class CommandAccount {
    private static final Logger LOG = LoggerFactory.getLogger(CommandAccount.class);
    /// A command that tries names one after the other fills no log.
    private static final int REFUSALS_LOGGED = 20;
    /// Look-ups of one command at a time.
    private static final int LOOKUPS = 4;

    private final EgressRules rules;
    private final EgressCounts counts;
    private final LookupThreads lookups;
    private final AtomicLong bytesLeft;
    private final Semaphore lookupsLeft = new Semaphore(LOOKUPS);
    private final Set<String> refusals = new HashSet<>();

    CommandAccount(EgressRules rules, EgressCounts counts, LookupThreads lookups) {
        this.rules = rules;
        this.counts = counts;
        this.lookups = lookups;
        this.bytesLeft = new AtomicLong(rules.bounds().bytes());
    }

    EgressRules rules() {
        return rules;
    }

    EgressCounts counts() {
        return counts;
    }

    /// Spends bytes of the command's share. Returns false if none are left.
    boolean spend(int bytes) {
        return bytesLeft.addAndGet(-bytes) >= 0;
    }

    boolean isSpent() {
        return bytesLeft.get() <= 0;
    }

    /// Looks a host up that is on the list.
    ///
    /// @throws IOException when the answer does not come in time
    AddressLookup.Answer lookUp(HostName host) throws IOException {
        lookupsLeft.acquireUninterruptibly();
        try {
            return lookups.of(host, rules);
        } finally {
            lookupsLeft.release();
        }
    }

    /// Counts and logs a refused destination: host and port, which were checked to be such, and nothing else of the
    /// request.
    void refused(String destination) {
        counts.refuse();
        synchronized (refusals) {
            if (refusals.size() >= REFUSALS_LOGGED || !refusals.add(destination))
                return;
        }
        LOG.atInfo().addKeyValue(CommandLogKeys.HOST, destination).log("egress of a command refused");
    }
}
