/// Tests of dead letters on the command line.
@NullMarked
package dev.toolfleet.cli.letter;

import org.jspecify.annotations.NullMarked;
