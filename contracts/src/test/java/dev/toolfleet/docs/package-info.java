/// Reads the project's documents, so that tests can compare them with the code.
@NullMarked
package dev.toolfleet.docs;

import org.jspecify.annotations.NullMarked;
