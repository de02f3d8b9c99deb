package dev.toolfleet.worker.commit;

import java.time.Duration;

/// Limit on the size of the next transaction. A transaction that fails halves it, down to one entry. A transaction that
/// it cut short and that was committed quickly doubles it, up to its default.
///
/// **Threads.** Owned by the transaction loop's thread.
///
/// **Why.** A transaction has about eight seconds. Without a limit, one that takes longer fails, and is tried again
/// together with everything that finished meanwhile. It takes still longer, and behind a slow or throttled broker no
/// outcome is ever committed. A limit that grew after each success would fail at every second transaction there, for
/// the whole backlog. So it grows only if twice the size would still take less than half of the time.
final class TransactionBound {
    /// Below this only the number of entries shrinks.
    private static final long FEWEST_BYTES = 64 << 10;
    private static final long QUICK_NANOS = Duration.ofSeconds(2).toNanos();

    private final int mostEntries;
    private final long mostBytes;
    private int entries;
    private long bytes;

    TransactionBound(int mostEntries, long mostBytes) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
        this.entries = mostEntries;
        this.bytes = mostBytes;
    }

    TransactionRoom room() {
        return new TransactionRoom(entries, bytes);
    }

    int entries() {
        return entries;
    }

    long bytes() {
        return bytes;
    }

    /// Notes that a transaction of this size failed. Only a transaction with entries can be made smaller.
    void failed(int triedEntries, long triedBytes) {
        if (triedEntries == 0)
            return;
        entries = Math.max(1, Math.min(entries, triedEntries) / 2);
        bytes = Math.min(mostBytes, Math.max(FEWEST_BYTES, Math.min(bytes, triedBytes) / 2));
    }

    /// Notes that a transaction of this size, which had no room for all waiting entries, was committed.
    void committed(int triedEntries, long triedBytes, long nanos) {
        if (nanos > QUICK_NANOS)
            return;
        entries = (int) Math.min(mostEntries, 2L * Math.max(entries, triedEntries));
        bytes = Math.min(mostBytes, 2 * Math.max(bytes, triedBytes));
    }
}
