@NullMarked
package dev.toolfleet.gateway.access;

import org.jspecify.annotations.NullMarked;
