/// Tests of this package.
@NullMarked
package dev.toolfleet.publishing.changeset;

import org.jspecify.annotations.NullMarked;
