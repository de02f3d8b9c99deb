/// The commands as they are typed: options, help, exit codes.
@NullMarked
package dev.toolfleet.cli.command;

import org.jspecify.annotations.NullMarked;
