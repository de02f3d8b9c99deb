package dev.toolfleet.bench.fleet;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LiveJvmTest {
    @Test
    void theHistogramsTotalIsTheLiveHeap() {
        assertThat(LiveJvm.total(" 1:  10  400  [B (java.base)\nTotal        123456       7890123\n"))
                .isEqualTo(7_890_123);
        assertThatThrownBy(() -> LiveJvm.total("no such process")).hasMessageContaining("no such process");
    }

    @Test
    void everyThreadCountsButThoseThatCarryOthers() {
        JsonNode dump = Json.MAPPER.readTree("""
                {"threadDump": {"threadContainers": [
                  {"container": "<root>", "threads": [{"tid": "3", "name": "main"}, {"virtual": true, "name": ""}]},
                  {"container": "ForkJoinPool-1/x", "threads": [{"name": "ForkJoinPool-1-worker-1"}]},
                  {"container": "pool", "threads": [{"name": "pool-1"}]}]}}""");

        assertThat(LiveJvm.names(dump)).containsExactly("main", "", "pool-1");
        assertThatThrownBy(() -> LiveJvm.names(Json.MAPPER.readTree("{}"))).hasMessageContaining("no thread");
    }
}
