/// Server of MCP for clients of both eras, over HTTP. It keeps no state that another replica would miss.
@NullMarked
package dev.toolfleet.mcp.server;

import org.jspecify.annotations.NullMarked;
