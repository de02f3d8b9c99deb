/// `toolfleet call`: one call, against a fleet or in this JVM.
@NullMarked
package dev.toolfleet.cli.call;

import org.jspecify.annotations.NullMarked;
