/// What an agent runtime uses to announce steps, call tools and receive their results.
@NullMarked
package dev.toolfleet.client;

import org.jspecify.annotations.NullMarked;
