@NullMarked
package dev.toolfleet.mcp.relay;

import org.jspecify.annotations.NullMarked;
