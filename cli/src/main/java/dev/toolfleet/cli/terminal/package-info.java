/// Output, failures and logs of commands.
@NullMarked
package dev.toolfleet.cli.terminal;

import org.jspecify.annotations.NullMarked;
