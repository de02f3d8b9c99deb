/// What applying a bundle says.
@NullMarked
package dev.toolfleet.cli.bundle;

import org.jspecify.annotations.NullMarked;
