/// Words of MCP that client and server share: revisions, tools, results, tasks and questions.
@NullMarked
package dev.toolfleet.mcp.protocol;

import org.jspecify.annotations.NullMarked;
