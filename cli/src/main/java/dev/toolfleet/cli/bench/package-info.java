/// Runs of `toolfleet bench`, and what they say to people and to other programs.
@NullMarked
package dev.toolfleet.cli.bench;

import org.jspecify.annotations.NullMarked;
