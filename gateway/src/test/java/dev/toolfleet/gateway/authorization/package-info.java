@NullMarked
package dev.toolfleet.gateway.authorization;

import org.jspecify.annotations.NullMarked;
