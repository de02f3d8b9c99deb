/// `toolfleet run`: plays a script against a fleet and writes what comes back.
@NullMarked
package dev.toolfleet.cli.play;

import org.jspecify.annotations.NullMarked;
