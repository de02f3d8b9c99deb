package dev.toolfleet.mcp.client;

import java.time.Duration;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.rpc.RpcLimits;

/// Settings of a client.
///
/// @param info name and version of the program
/// @param era the era in which it opens conversations
/// @param limits limits of the messages of servers
/// @param probeTimeout the silence after which a server is taken for a legacy one
/// @param requestTimeout the longest wait for an answer other than that of a tool
/// @param elicitation true if the program can answer forms of a modern server ([ServerOutcome.Input])
public record ClientSettings(PeerInfo info, EraChoice era, RpcLimits limits, Duration probeTimeout,
        Duration requestTimeout, boolean elicitation) {
    private static final Duration PROBE = Duration.ofSeconds(3);
    private static final Duration REQUEST = Duration.ofSeconds(10);

    /// Settings with the defaults: probe for 3 s, 10 s for a request, no forms.
    public static ClientSettings of(PeerInfo info) {
        return new ClientSettings(info, EraChoice.PROBE, RpcLimits.DEFAULT, PROBE, REQUEST, false);
    }

    /// Returns the same settings with another era.
    public ClientSettings in(EraChoice other) {
        return new ClientSettings(info, other, limits, probeTimeout, requestTimeout, elicitation);
    }

    /// Returns the same settings with other waits.
    public ClientSettings waiting(Duration probe, Duration request) {
        return new ClientSettings(info, era, limits, probe, request, elicitation);
    }

    /// Returns the same settings with other limits.
    public ClientSettings within(RpcLimits other) {
        return new ClientSettings(info, era, other, probeTimeout, requestTimeout, elicitation);
    }

    /// Returns the same settings for a program that answers forms.
    public ClientSettings answeringForms() {
        return new ClientSettings(info, era, limits, probeTimeout, requestTimeout, true);
    }
}
