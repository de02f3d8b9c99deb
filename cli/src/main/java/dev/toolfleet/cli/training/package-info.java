/// Training run of `toolfleet aot-cache`, in a JVM of its own.
@NullMarked
package dev.toolfleet.cli.training;

import org.jspecify.annotations.NullMarked;
