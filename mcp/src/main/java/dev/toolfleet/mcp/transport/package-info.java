/// Ways of a client to a server: stdio, and streamable HTTP of both eras.
@NullMarked
package dev.toolfleet.mcp.transport;

import org.jspecify.annotations.NullMarked;
