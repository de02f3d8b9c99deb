/// How a script is played.
@NullMarked
package dev.toolfleet.cli.play;

import org.jspecify.annotations.NullMarked;
