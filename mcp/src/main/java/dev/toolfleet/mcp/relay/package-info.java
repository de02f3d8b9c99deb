/// Relay between a client that speaks stdio alone and a server over HTTP.
@NullMarked
package dev.toolfleet.mcp.relay;

import org.jspecify.annotations.NullMarked;
