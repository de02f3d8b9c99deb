/// A real Kafka broker inside this JVM, or several in processes of their own.
@NullMarked
package dev.toolfleet.embedded;

import org.jspecify.annotations.NullMarked;
