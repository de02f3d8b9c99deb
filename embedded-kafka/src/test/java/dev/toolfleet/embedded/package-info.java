/// A real single-node Kafka broker inside this JVM.
@NullMarked
package dev.toolfleet.embedded;

import org.jspecify.annotations.NullMarked;
