package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// Room that is left in a transaction while it is put together. Entries go in while there is room for their number and
/// their bytes. The first one goes in whatever its size, so that an entry above the limit goes alone.
///
/// **Threads.** Owned by the transaction loop's thread.
final class TransactionRoom {
    private int entries;
    private long bytes;
    private boolean untouched = true;
    private boolean cut;

    TransactionRoom(int entries, long bytes) {
        this.entries = entries;
        this.bytes = bytes;
    }

    /// Begins with the next source of entries: forgets that an entry found no room.
    void nextSource() {
        cut = false;
    }

    /// True if an entry of this source found no room.
    boolean isCut() {
        return cut;
    }

    /// Takes an entry in. Returns false if it has to wait for another transaction.
    boolean admit(long weight) {
        if (entries == 0 || (weight > bytes && !untouched)) {
            cut = true;
            return false;
        }
        entries--;
        bytes = Math.max(0, bytes - weight);
        untouched = false;
        return true;
    }

    /// Admits entries from the head of a list and returns their number.
    <T> int admit(List<T> list, ToLongFunction<T> weight) {
        int count = 0;
        while (count < list.size() && admit(weight.applyAsLong(list.get(count))))
            count++;
        return count;
    }

    /// Removes the entries that find room from the head of a list and returns them.
    <T> List<T> take(List<T> list, ToLongFunction<T> weight) {
        List<T> head = list.subList(0, admit(list, weight));
        List<T> taken = new ArrayList<>(head);
        head.clear();
        return taken;
    }

    TransactionRoom copy() {
        TransactionRoom copy = new TransactionRoom(entries, bytes);
        copy.untouched = untouched;
        copy.cut = cut;
        return copy;
    }

    /// Goes back to an earlier state.
    void resetTo(TransactionRoom earlier) {
        entries = earlier.entries;
        bytes = earlier.bytes;
        untouched = earlier.untouched;
        cut = earlier.cut;
    }
}
