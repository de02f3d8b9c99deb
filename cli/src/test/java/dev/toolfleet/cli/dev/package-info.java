/// The fleet for development.
@NullMarked
package dev.toolfleet.cli.dev;

import org.jspecify.annotations.NullMarked;
