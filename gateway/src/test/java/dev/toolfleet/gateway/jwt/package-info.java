@NullMarked
package dev.toolfleet.gateway.jwt;

import org.jspecify.annotations.NullMarked;
