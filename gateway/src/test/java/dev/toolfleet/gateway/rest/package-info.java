@NullMarked
package dev.toolfleet.gateway.rest;

import org.jspecify.annotations.NullMarked;
