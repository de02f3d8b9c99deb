/// What `toolfleet init` writes.
@NullMarked
package dev.toolfleet.cli.init;

import org.jspecify.annotations.NullMarked;
