/// Tests of the console.
@NullMarked
package dev.toolfleet.console;

import org.jspecify.annotations.NullMarked;
