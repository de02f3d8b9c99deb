/// Tests of messages and their streams.
@NullMarked
package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.NullMarked;
