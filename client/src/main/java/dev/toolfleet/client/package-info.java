/// Client library of an agent runtime: announces steps, calls tools and receives their results.
@NullMarked
package dev.toolfleet.client;

import org.jspecify.annotations.NullMarked;
