import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.toolfleet.client.AgentInbox;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.WireCodec;

/// Prints the events of agents, one as JSON a line: the only part of an agent runtime for which the gateway has no route.
///
///     java -cp toolfleet.jar Inbox.java 127.0.0.1:9092
public final class Inbox {
    private Inbox() {}

    /// Prints until the process is ended.
    ///
    /// @param args the broker as `host:port`
    public static void main(String[] args) {
        WireCodec<AgentEvent> codec = WireCodec.of(AgentEvent.class);
        try (AgentInbox inbox = AgentInbox.open(ClientConfig.of(args[0]).named("deceived"), "deceived")) {
            while (!Thread.currentThread().isInterrupted())
                for (AgentEvent event : inbox.next(Duration.ofSeconds(1)))
                    System.out.println(new String(codec.write(event), StandardCharsets.UTF_8));
        }
    }
}
