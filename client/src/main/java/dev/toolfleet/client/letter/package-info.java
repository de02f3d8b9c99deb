/// Dead letters, and the marks of those that operators have replayed or discarded.
@NullMarked
package dev.toolfleet.client.letter;

import org.jspecify.annotations.NullMarked;
