/// Reads the project's documents, so that tests can hold them to the code.
@NullMarked
package dev.toolfleet.docs;

import org.jspecify.annotations.NullMarked;
