@NullMarked
package dev.toolfleet.loading;

import org.jspecify.annotations.NullMarked;
