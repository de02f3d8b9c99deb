/// Bridge to MCP servers: the built-in extension `mcp`, which publishes their tools, and the connections behind it.
@NullMarked
package dev.toolfleet.worker.bridge;

import org.jspecify.annotations.NullMarked;
