package dev.toolfleet.worker.commit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// Committed offset with the finished offsets beyond it, as a commit's metadata carries them: run lengths, alternately
/// unfinished and done, as varints in Base64 behind the mark `tf1:`.
///
/// @param frontier the lowest unfinished offset
/// @param runs lengths of runs from the frontier on: unfinished, done, unfinished, done, …; ends with a done run
/// @param leaderEpoch the newest leader epoch that was read, [#NO_EPOCH] when unknown: with it a broker finds out
/// whether the log still has these records (KIP-320)
public record DoneOffsets(long frontier, List<Integer> runs, int leaderEpoch) {
    /// No leader epoch is known.
    public static final int NO_EPOCH = -1;
    /// Longest metadata that a broker accepts by default (`offset.metadata.max.bytes`); one character more is fatal to
    /// a transactional producer.
    public static final int MAX_METADATA = 4096;
    private static final String MARK = "tf1:";
    /// Greatest sum of all runs. Longer runs are damaged, and would take an absurd amount of memory to restore.
    private static final long MAX_REACH = 1 << 30;

    /// Copies the runs.
    public DoneOffsets {
        runs = List.copyOf(runs);
    }

    /// Creates offsets without a leader epoch.
    public DoneOffsets(long frontier, List<Integer> runs) {
        this(frontier, runs, NO_EPOCH);
    }

    /// Reads a group's committed offset.
    public static DoneOffsets of(OffsetAndMetadata committed) {
        return decode(committed.offset(), committed.metadata()).readUnder(committed.leaderEpoch().orElse(NO_EPOCH));
    }

    /// Returns these offsets with another leader epoch.
    DoneOffsets readUnder(int epoch) {
        return new DoneOffsets(frontier, runs, epoch);
    }

    /// Returns the offset to commit.
    OffsetAndMetadata commit() {
        return new OffsetAndMetadata(frontier, epoch(), encode());
    }

    /// Returns the position from which a consumer reads on. By its leader epoch, the consumer compares the log's
    /// history once more before it reads.
    public OffsetAndMetadata position() {
        return new OffsetAndMetadata(frontier, epoch(), "");
    }

    private Optional<Integer> epoch() {
        return leaderEpoch < 0 ? Optional.empty() : Optional.of(leaderEpoch);
    }

    /// Returns the part that is right in a log whose records from `end` on are others: no offset from there on is done.
    /// The part has no leader epoch, because the record with the newest one is gone.
    public DoneOffsets before(long end) {
        if (end <= frontier)
            return from(end);
        Builder kept = new Builder(frontier);
        forEachDone((from, to) -> kept.done(from, Math.min(to, end)));
        return kept.build();
    }

    /// Returns the part that is right in a log that begins at `beginning`.
    public DoneOffsets since(long beginning) {
        if (beginning <= frontier)
            return this;
        Builder kept = new Builder(isDone(beginning) ? runEnd(beginning) : beginning);
        forEachDone(kept::done);
        return kept.build().readUnder(leaderEpoch);
    }

    private long runEnd(long offset) {
        long[] end = {offset};
        forEachDone((from, to) -> {
            if (from <= offset && offset < to)
                end[0] = to;
        });
        return end[0];
    }

    /// Returns offsets without a finished one beyond `frontier`.
    public static DoneOffsets from(long frontier) {
        return new DoneOffsets(frontier, List.of());
    }

    /// Reads a committed offset and its metadata. Metadata that is not a worker's, or is damaged, counts as empty: the
    /// calls beyond the offset are then run again.
    public static DoneOffsets decode(long frontier, @Nullable String metadata) {
        if (metadata == null || !metadata.startsWith(MARK))
            return from(frontier);
        try {
            return new DoneOffsets(frontier,
                    Varints.read(Base64.getUrlDecoder().decode(metadata.substring(MARK.length()))));
        } catch (IllegalArgumentException e) {
            return from(frontier);
        }
    }

    /// Returns the metadata; empty if no offset beyond the frontier is done. It may be longer than [#MAX_METADATA]:
    /// check.
    public String encode() {
        if (runs.isEmpty())
            return "";
        return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(Varints.write(runs));
    }

    /// True if `offset` is done.
    public boolean isDone(long offset) {
        if (offset < frontier)
            return true;
        long end = frontier;
        boolean done = false;
        for (int run : runs) {
            end += run;
            if (offset < end)
                return done;
            done = !done;
        }
        return false;
    }

    /// Returns the offset behind the last finished one.
    public long reach() {
        return frontier + runs.stream().mapToLong(Integer::longValue).sum();
    }

    /// Visits the done runs, each as its first offset and the one after its last.
    void forEachDone(RunConsumer consumer) {
        long at = frontier;
        for (int i = 0; i < runs.size(); i += 2) {
            long from = at + runs.get(i);
            at = from + runs.get(i + 1);
            consumer.accept(from, at);
        }
    }

    /// Takes a run of offsets.
    @FunctionalInterface
    interface RunConsumer {
        void accept(long from, long to);
    }

    /// Collects runs.
    static final class Builder {
        private final long frontier;
        private final List<Integer> runs = new ArrayList<>();
        private long reach;

        Builder(long frontier) {
            this.frontier = frontier;
            this.reach = frontier;
        }

        /// Adds a run of done offsets, if it lies behind all others and is not empty.
        void done(long from, long to) {
            if (from < reach || to <= from)
                return;
            run((int) (from - reach), (int) (to - from));
        }

        void run(int unfinished, int done) {
            runs.add(unfinished);
            runs.add(done);
            reach += (long) unfinished + done;
        }

        DoneOffsets build() {
            return new DoneOffsets(frontier, runs);
        }
    }

    /// Varints: seven bits a byte, lowest first; the high bit means that more follow.
    private static final class Varints {
        private Varints() {}

        static byte[] write(List<Integer> values) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(values.size() * 2);
            for (int value : values) {
                int rest = value;
                while (rest > 0x7f) {
                    out.write((rest & 0x7f) | 0x80);
                    rest >>>= 7;
                }
                out.write(rest);
            }
            return out.toByteArray();
        }

        static List<Integer> read(byte[] bytes) {
            List<Integer> values = new ArrayList<>();
            long reach = 0;
            long value = 0;
            int shift = 0;
            for (byte b : bytes) {
                value |= ((long) (b & 0x7f)) << shift;
                shift += 7;
                if (value > Integer.MAX_VALUE || shift > 35)
                    throw new IllegalArgumentException("run too long");
                if (b < 0)
                    continue;
                values.add((int) value);
                reach += value;
                if (reach > MAX_REACH)
                    throw new IllegalArgumentException("runs too long");
                value = 0;
                shift = 0;
            }
            if (shift != 0 || values.size() % 2 != 0)
                throw new IllegalArgumentException("runs cut off");
            return values;
        }
    }
}
