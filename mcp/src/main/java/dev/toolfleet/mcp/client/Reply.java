package dev.toolfleet.mcp.client;

import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.transport.NoAnswer;
import tools.jackson.databind.node.ObjectNode;

/// End of a request.
sealed interface Reply {
    /// Returns a sentence about it.
    String text();

    /// The server answered.
    record Result(ObjectNode result) implements Reply {
        @Override
        public String text() {
            return "answered";
        }
    }

    /// The server answered with an error.
    record Failure(RpcError error) implements Reply {
        @Override
        public String text() {
            return "error " + error.code() + ": " + error.message();
        }
    }

    /// There is no answer.
    record None(ServerOutcome.Cause cause, NoAnswer answer) implements Reply {
        static None of(NoAnswer answer) {
            ServerOutcome.Cause cause = switch (answer) {
                case NoAnswer.Unreadable unreadable -> ServerOutcome.Cause.UNREADABLE;
                case NoAnswer.SessionEnded ended -> ServerOutcome.Cause.SESSION;
                case NoAnswer.NotSent notSent -> ServerOutcome.Cause.CONNECTION;
                case NoAnswer.Lost lost -> ServerOutcome.Cause.CONNECTION;
                case NoAnswer.Rejected rejected -> ServerOutcome.Cause.CONNECTION;
            };
            return new None(cause, answer);
        }

        @Override
        public String text() {
            return answer.reason();
        }
    }
}
