package dev.toolfleet.bench.micro;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.session.compaction.Compaction;
import dev.toolfleet.session.compaction.CompactionOptions;
import dev.toolfleet.session.compaction.Compactor;
import dev.toolfleet.session.compaction.Strategy;
import dev.toolfleet.session.compaction.Summarizer;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.CallFacts;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Repaired;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.session.transcript.Transcript;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/// Repair and compaction of transcripts of 10,000, 100,000 and 1,000,000 entries. Every tenth result is missing, and every
/// tenth stands behind the next user's message. The summariser answers at once.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class SessionBenchmark {
    private static final int TURN = 4;
    private static final String WORDS = "some words of a conversation that goes on ".repeat(4);

    private final List<Entry> tenThousand = transcript(10_000);
    private final List<Entry> hundredThousand = transcript(100_000);
    private final List<Entry> million = transcript(1_000_000);

    static List<Entry> transcript(int entries) {
        List<Entry> transcript = new ArrayList<>(entries);
        for (int turn = 0; turn < entries / TURN; turn++) {
            Instant at = Instant.ofEpochSecond(turn);
            Entry result = Entry.result("r" + turn, "exec_0", "bash__exec", StringNode.valueOf(WORDS), at);
            transcript.add(Entry.text("u" + turn, Role.USER, WORDS, at));
            transcript.add(Entry.calling("a" + turn, WORDS, at,
                    List.of(new Call("exec_0", "bash__exec", JsonNodeFactory.instance.objectNode()))));
            if (turn % 10 != 0 && turn % 10 != 5)
                transcript.add(result);
            transcript.add(Entry.text("v" + turn, Role.USER, WORDS, at));
            if (turn % 10 == 5)
                transcript.add(result);
        }
        return List.copyOf(transcript);
    }

    /// Repairs 10,000 entries.
    @Benchmark
    public Repaired repair10k() {
        return Transcript.repair(tenThousand, CallFacts.NONE);
    }

    /// Repairs 100,000 entries.
    @Benchmark
    public Repaired repair100k() {
        return Transcript.repair(hundredThousand, CallFacts.NONE);
    }

    /// Repairs 1,000,000 entries.
    @Benchmark
    public Repaired repair1m() {
        return Transcript.repair(million, CallFacts.NONE);
    }

    /// Compacts 10,000 entries to half of their tokens.
    @Benchmark
    public Compaction compact10k() {
        return compacted(tenThousand);
    }

    /// Compacts 100,000 entries to half of their tokens.
    @Benchmark
    public Compaction compact100k() {
        return compacted(hundredThousand);
    }

    /// Compacts 1,000,000 entries to half of their tokens.
    @Benchmark
    public Compaction compact1m() {
        return compacted(million);
    }

    static Compaction compacted(List<Entry> entries) {
        long half = TokenCounter.STANDARD.entries(entries) / 2;
        return Compactor.compact(entries, CompactionOptions.of(Strategy.HYBRID, half).summarizedIn(Integer.MAX_VALUE),
                request -> new Summarizer.Summary("summary"));
    }
}
