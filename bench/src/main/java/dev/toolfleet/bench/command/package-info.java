/// The command `toolfleet bench` and what its runs print and write.
@NullMarked
package dev.toolfleet.bench.command;

import org.jspecify.annotations.NullMarked;
