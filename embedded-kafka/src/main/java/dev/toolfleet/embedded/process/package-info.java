/// JVMs that this JVM starts and that end with it. Independent of Kafka.
@NullMarked
package dev.toolfleet.embedded.process;

import org.jspecify.annotations.NullMarked;
