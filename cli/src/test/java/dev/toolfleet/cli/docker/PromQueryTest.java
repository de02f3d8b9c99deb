package dev.toolfleet.cli.docker;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PromQueryTest {
    @Test
    void metricsTheirLabelsAndTheLabelsThatAreGroupedByAreFound() {
        PromQuery query = PromQuery
                .of("topk(10, sum by (tool, code) (rate(a_total{status=\"error\",code!~\"b|{c}\"}[$__i]))"
                        + " / on (tool) group_left (how) d_sum{} > 0.5e1 and absent(up == 1))");

        assertThat(query.selected()).isEqualTo(Map.of("a_total", Set.of("status", "code"), "d_sum", Set.of(), "up",
                Set.of()));
        assertThat(query.grouped()).containsExactlyInAnyOrder("tool", "code", "how");
    }

    @Test
    void aFunctionThatNobodyCheckedIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> PromQuery.of("rte(a_total[5m])"))
                .withMessageContaining("rte");
    }
}
