/// Tests of the server.
@NullMarked
package dev.toolfleet.mcp.server;

import org.jspecify.annotations.NullMarked;
