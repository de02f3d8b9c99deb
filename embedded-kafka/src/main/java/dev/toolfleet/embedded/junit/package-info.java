/// A JUnit extension that shares one broker among all tests of a JVM: the embedded one, or that of a container.
@NullMarked
package dev.toolfleet.embedded.junit;

import org.jspecify.annotations.NullMarked;
