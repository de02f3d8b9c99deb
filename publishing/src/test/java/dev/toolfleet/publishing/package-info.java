/// What applying a bundle does.
@NullMarked
package dev.toolfleet.publishing;

import org.jspecify.annotations.NullMarked;
