/// Client of MCP servers of both eras.
@NullMarked
package dev.toolfleet.mcp.client;

import org.jspecify.annotations.NullMarked;
