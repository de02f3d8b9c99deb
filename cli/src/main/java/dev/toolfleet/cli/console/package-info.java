/// Commands of the console: those of the command line, run for pages.
@NullMarked
package dev.toolfleet.cli.console;

import org.jspecify.annotations.NullMarked;
