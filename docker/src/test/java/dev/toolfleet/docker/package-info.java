@NullMarked
package dev.toolfleet.docker;

import org.jspecify.annotations.NullMarked;
