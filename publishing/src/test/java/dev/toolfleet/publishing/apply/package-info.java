/// What applying a bundle does.
@NullMarked
package dev.toolfleet.publishing.apply;

import org.jspecify.annotations.NullMarked;
