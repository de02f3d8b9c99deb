package dev.toolfleet.worker.app;

import java.util.List;
import java.util.Map;

import dev.toolfleet.hosts.Hosts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HostsRouteTest {
    @Test
    void processesAndPausedHostsAreShown() {
        assertThat(HostsRoute.json("w1", List.of(new Hosts.ProcessState("acme (node)", "node", "20.1.0", 17, 2, 1024)),
                Map.of("other (python)", "its process ended 3 times"), 5))
                .hasToString(
                        "{\"worker\":\"w1\",\"started\":5,\"hosts\":[{\"host\":\"acme (node)\",\"kind\":\"node\",\"version\":"
                                + "\"20.1.0\",\"pid\":17,\"calls\":2,\"memory\":1024}],\"paused\":[{\"host\":\"other (python)\","
                                + "\"reason\":\"its process ended 3 times\"}]}");
    }
}
