/// Tests of the words of MCP.
@NullMarked
package dev.toolfleet.mcp.protocol;

import org.jspecify.annotations.NullMarked;
