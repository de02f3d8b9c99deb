/// Tests of this package.
@NullMarked
package dev.toolfleet.publishing.git;

import org.jspecify.annotations.NullMarked;
