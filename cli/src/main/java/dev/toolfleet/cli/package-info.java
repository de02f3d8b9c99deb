/// The `toolfleet` command, also the one executable jar.
@NullMarked
package dev.toolfleet.cli;

import org.jspecify.annotations.NullMarked;
