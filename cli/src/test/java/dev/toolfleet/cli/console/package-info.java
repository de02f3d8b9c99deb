@NullMarked
package dev.toolfleet.cli.console;

import org.jspecify.annotations.NullMarked;
