package dev.toolfleet.cli.session;

import java.io.IOException;
import java.util.Optional;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.SessionState;
import tools.jackson.databind.JsonNode;

/// Output of a session's messages for people, or as JSON.
public final class SessionViewer {
    private final SessionReader reader;
    private final Terminal terminal;

    /// @param reader of a session service
    public SessionViewer(SessionReader reader, Terminal terminal) {
        this.reader = reader;
        this.terminal = terminal;
    }

    /// Prints a session.
    ///
    /// @param json true for the service's answer as it is
    public int show(String instanceKey, String agent, SessionReader.View view, boolean json)
            throws InterruptedException {
        try {
            Optional<JsonNode> messages = reader.messages(instanceKey, agent, view);
            Optional<SessionState> state = reader.state(instanceKey, agent);
            if (messages.isEmpty() || state.isEmpty()) {
                throw Failure.failed("no message of the agent '" + agent + "' of the instance '" + instanceKey
                        + "' is known at " + reader.service());
            }
            if (json)
                terminal.print(messages.get().toString());
            else
                print(messages.get(), state.get(), Integer.MAX_VALUE);
            return Failure.SUCCESS;
        } catch (IOException e) {
            throw Failure.failed("the session service at " + reader.service() + " does not answer (" + e
                    + "); give its address with --url, and start one with: toolfleet session-service", e);
        }
    }

    /// Prints messages.
    ///
    /// @param messages as the service shows them
    /// @param last the number of messages that are printed, the newest
    public void print(JsonNode messages, SessionState state, int last) {
        terminal.print(state.instanceKey() + "/" + state.agentName() + ": " + state.messages() + " messages, "
                + state.tokens() + " of " + state.usableTokens() + " tokens, window " + state.status() + ", seq "
                + state.seq());
        JsonNode all = messages.path("messages");
        int first = Math.max(0, all.size() - last);
        if (first > 0)
            terminal.print("  … " + first + " earlier messages");
        for (int n = first; n < all.size(); n++)
            MessageLines.of(all.path(n).path("data"), terminal.width()).forEach(line -> terminal.print("  " + line));
        for (AwaitedCall call : state.awaited())
            terminal.print("  open       " + call.toolCallId() + " " + call.toolName()
                    + (call.handle() == null ? "" : ", handle " + call.handle()));
        for (JsonNode finding : messages.path("findings"))
            MessageLines.wrapped("finding", finding.path("kind").asString("") + ": "
                    + finding.path("description").asString(""), terminal.width())
                    .forEach(line -> terminal.print("  " + line));
    }
}
