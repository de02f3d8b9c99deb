/// Tests of the client, against servers at fault.
@NullMarked
package dev.toolfleet.mcp.client;

import org.jspecify.annotations.NullMarked;
