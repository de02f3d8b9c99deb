/// What a tool author implements and what a handler is given.
@NullMarked
package dev.toolfleet.tool;

import org.jspecify.annotations.NullMarked;
