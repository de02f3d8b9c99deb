package dev.toolfleet.mcp.client;

import java.util.Map;

import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.RpcError;

/// Outcome of a call.
public sealed interface ServerOutcome {
    /// What a call may have done.
    enum Effect {
        /// Nothing: it may be called again.
        NONE,
        /// All that it does, or so the server states.
        DONE,
        /// It is not known.
        UNKNOWN
    }

    /// Reason why there is no answer.
    enum Cause {
        /// The connection or the server.
        CONNECTION,
        /// The caller's deadline.
        DEADLINE,
        /// The caller cancelled.
        CANCELLED,
        /// The answer cannot be read.
        UNREADABLE,
        /// The server has ended the session; a new connection is needed.
        SESSION
    }

    /// Returns what the call may have done.
    Effect effect();

    /// The tool answered, perhaps that it failed.
    record Done(McpReply reply) implements ServerOutcome {
        @Override
        public Effect effect() {
            return Effect.DONE;
        }
    }

    /// The server goes on with the call as a task.
    record Task(TaskSnapshot task) implements ServerOutcome {
        @Override
        public Effect effect() {
            return Effect.UNKNOWN;
        }
    }

    /// The server needs answers before it goes on.
    record Input(InputQuestions questions) implements ServerOutcome {
        @Override
        public Effect effect() {
            return Effect.NONE;
        }
    }

    /// The server answered with an error of the protocol.
    record Failed(RpcError error) implements ServerOutcome {
        @Override
        public Effect effect() {
            return error.isRefusal() ? Effect.NONE : Effect.UNKNOWN;
        }
    }

    /// The server refused the request by an HTTP status from 300 to 499.
    ///
    /// @param status the status
    /// @param text the beginning of the body
    /// @param headers the response's headers, names in lower case
    record Rejected(int status, String text, Map<String, String> headers) implements ServerOutcome {
        @Override
        public Effect effect() {
            return Effect.NONE;
        }
    }

    /// The request did not reach the server.
    record NotSent(Cause cause, String reason) implements ServerOutcome {
        @Override
        public Effect effect() {
            return Effect.NONE;
        }
    }

    /// The request left, and there is no answer to it.
    record Lost(Cause cause, String reason) implements ServerOutcome {
        @Override
        public Effect effect() {
            return Effect.UNKNOWN;
        }
    }
}
