@NullMarked
package dev.toolfleet.gateway.app;

import org.jspecify.annotations.NullMarked;
