/// MCP servers in a bundle: their configuration, a look at them, and clients that speak stdio only.
@NullMarked
package dev.toolfleet.cli.mcp;

import org.jspecify.annotations.NullMarked;
