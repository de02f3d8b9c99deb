/// A whole fleet in this JVM: broker, catalog service and worker.
@NullMarked
package dev.toolfleet.cli.fleet;

import org.jspecify.annotations.NullMarked;
