/// What a command says, how it fails, and how loud the logs are.
@NullMarked
package dev.toolfleet.cli.terminal;

import org.jspecify.annotations.NullMarked;
