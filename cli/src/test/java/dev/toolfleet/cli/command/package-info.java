/// What the command line answers and with which exit code.
@NullMarked
package dev.toolfleet.cli.command;

import org.jspecify.annotations.NullMarked;
