@NullMarked
package dev.toolfleet.hosts;

import org.jspecify.annotations.NullMarked;
