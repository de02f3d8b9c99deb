/// A JUnit extension that shares one embedded broker among all tests of a JVM.
@NullMarked
package dev.toolfleet.embedded.junit;

import org.jspecify.annotations.NullMarked;
