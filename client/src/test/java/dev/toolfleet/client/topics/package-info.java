/// Tests of this package.
@NullMarked
package dev.toolfleet.client.topics;

import org.jspecify.annotations.NullMarked;
