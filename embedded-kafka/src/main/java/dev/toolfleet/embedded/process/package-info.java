/// JVMs started by this one that end with it. Knows nothing of Kafka.
@NullMarked
package dev.toolfleet.embedded.process;

import org.jspecify.annotations.NullMarked;
