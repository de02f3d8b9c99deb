/// Tests of the terminal and of logs.
@NullMarked
package dev.toolfleet.cli.terminal;

import org.jspecify.annotations.NullMarked;
