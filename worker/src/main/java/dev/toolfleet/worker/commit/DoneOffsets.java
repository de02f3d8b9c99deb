package dev.toolfleet.worker.commit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import org.jspecify.annotations.Nullable;

/// A committed offset and which offsets beyond it are done, as it travels in the commit's metadata: run lengths,
/// alternately unfinished and done, as varints in Base64 behind the mark `tf1:`.
///
/// @param frontier the lowest unfinished offset
/// @param runs lengths of runs from the frontier on: unfinished, done, unfinished, done, …; ends with a done run
public record DoneOffsets(long frontier, List<Integer> runs) {
    /// The longest metadata that a broker accepts by default (`offset.metadata.max.bytes`); one character more is fatal
    /// to a transactional producer.
    public static final int MAX_METADATA = 4096;
    private static final String MARK = "tf1:";
    /// What runs reach at most, all together. Longer ones are damage, and would take an absurd amount of memory to
    /// restore.
    private static final long MAX_REACH = 1 << 30;

    /// Copies the runs.
    public DoneOffsets {
        runs = List.copyOf(runs);
    }

    /// Nothing beyond `frontier` is done.
    public static DoneOffsets from(long frontier) {
        return new DoneOffsets(frontier, List.of());
    }

    /// What a committed offset and its metadata say. Metadata that is not ours, or damaged, says nothing: the calls
    /// beyond the offset are then run again, as if it had been empty.
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

    /// The metadata; empty when nothing beyond the frontier is done. May be longer than [#MAX_METADATA]: check.
    public String encode() {
        if (runs.isEmpty())
            return "";
        return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(Varints.write(runs));
    }

    /// Whether `offset` is done.
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

    /// The offset behind the last that is done.
    public long reach() {
        return frontier + runs.stream().mapToLong(Integer::longValue).sum();
    }

    /// The done runs, each as its first offset and the one after its last.
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

        Builder(long frontier) {
            this.frontier = frontier;
        }

        void run(int unfinished, int done) {
            runs.add(unfinished);
            runs.add(done);
        }

        DoneOffsets build() {
            return new DoneOffsets(frontier, runs);
        }
    }

    /// Seven bits a byte, lowest first, the high bit says that more follow.
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
