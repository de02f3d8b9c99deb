/// Handlers on the class path and in jars of a bundle.
@NullMarked
package dev.toolfleet.worker.runtime.jvm;

import org.jspecify.annotations.NullMarked;
