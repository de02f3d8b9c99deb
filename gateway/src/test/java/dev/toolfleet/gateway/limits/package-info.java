@NullMarked
package dev.toolfleet.gateway.limits;

import org.jspecify.annotations.NullMarked;
