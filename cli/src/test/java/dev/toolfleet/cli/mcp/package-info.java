@NullMarked
package dev.toolfleet.cli.mcp;

import org.jspecify.annotations.NullMarked;
