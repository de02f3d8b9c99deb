/// JSON-RPC 2.0 as MCP uses it: messages, their codec with its limits, lines, server-sent events and the text of headers.
@NullMarked
package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.NullMarked;
