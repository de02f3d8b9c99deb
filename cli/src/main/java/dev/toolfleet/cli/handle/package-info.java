/// Calls that finish later, seen from a terminal: their handles, their completions, and cancelling.
@NullMarked
package dev.toolfleet.cli.handle;

import org.jspecify.annotations.NullMarked;
