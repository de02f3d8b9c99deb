package dev.toolfleet.cli.explain;

import java.util.List;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HostListerTest {
    private static final Style PLAIN = new Style(false);

    @Test
    void eachProcessAndEachPausedHostHasARow() {
        List<String> lines = HostLister.text(new WorkerQueries.Answers(List.of(
                Json.MAPPER.readTree("{\"worker\": \"w1\", \"hosts\": [{\"host\": \"acme (node)\", \"version\":"
                        + " \"20.1.0\", \"pid\": 17, \"calls\": 2, \"memory\": 54525952}], \"paused\": []}"),
                Json.MAPPER.readTree("{\"worker\": \"w2\", \"hosts\": [], \"paused\": [{\"host\": \"acme (python)\","
                        + " \"reason\": \"it ended\"}]}")),
                List.of()), 120, PLAIN);

        assertThat(lines).hasSize(4);
        assertThat(lines.get(2)).matches("w1 +acme \\(node\\) +20\\.1\\.0 +17 +2 +52 MB +runs");
        assertThat(lines.get(3)).matches("w2 +acme \\(python\\) +paused: it ended");
    }

    @Test
    void aFleetWithoutHostsIsSaidToHaveNone() {
        assertThat(HostLister.text(
                new WorkerQueries.Answers(List.of(Json.MAPPER.readTree("{\"worker\": \"w1\", \"hosts\": []}")),
                        List.of()),
                120, PLAIN)).containsExactly("No worker runs handlers in other languages than Java.");
    }
}
