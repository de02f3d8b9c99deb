/// Whole fleets in one JVM, and clients that are not ours.
@NullMarked
package dev.toolfleet.cli.fleet;

import org.jspecify.annotations.NullMarked;
