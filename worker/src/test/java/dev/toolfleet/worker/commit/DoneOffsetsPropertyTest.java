package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

import static org.assertj.core.api.Assertions.assertThat;

class DoneOffsetsPropertyTest {

    @Property(seed = "816", tries = 1000)
    void whatIsWrittenIsRead(@ForAll("runs") List<Integer> runs,
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long frontier) {
        DoneOffsets done = new DoneOffsets(frontier, runs);

        assertThat(DoneOffsets.decode(frontier, done.encode())).isEqualTo(done);
    }

    @Property(seed = "817", tries = 1000)
    void anyTextIsSurvived(@ForAll String text, @ForAll("base64") String coded) {
        assertThat(DoneOffsets.decode(3, text).frontier()).isEqualTo(3);
        DoneOffsets read = DoneOffsets.decode(3, "tf1:" + coded);
        assertThat(read.frontier()).isEqualTo(3);
        assertThat(read.runs().size() % 2).isZero();
        assertThat(read.runs().stream().mapToLong(Integer::longValue).sum()).isLessThanOrEqualTo(1 << 30);
    }

    @Provide
    Arbitrary<List<Integer>> runs() {
        Arbitrary<Integer> length = Arbitraries.oneOf(Arbitraries.integers().between(1, 200),
                Arbitraries.integers().between(1, 1_000_000));
        return length.list().ofMaxSize(200).map(runs -> {
            List<Integer> even = new ArrayList<>(runs);
            if (even.size() % 2 == 1)
                even.removeLast();
            return even;
        });
    }

    @Provide
    Arbitrary<String> base64() {
        return Arbitraries.strings().withCharRange('a', 'z').withCharRange('A', 'Z').numeric().withChars('-', '_')
                .ofMaxLength(60);
    }
}
