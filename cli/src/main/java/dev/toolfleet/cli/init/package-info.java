/// `toolfleet init`: a bundle to begin with.
@NullMarked
package dev.toolfleet.cli.init;

import org.jspecify.annotations.NullMarked;
