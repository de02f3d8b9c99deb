/// Tests of the layers.
@NullMarked
package dev.toolfleet.mcp;

import org.jspecify.annotations.NullMarked;
