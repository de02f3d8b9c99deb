/// What holds for the whole command.
@NullMarked
package dev.toolfleet.cli;

import org.jspecify.annotations.NullMarked;
