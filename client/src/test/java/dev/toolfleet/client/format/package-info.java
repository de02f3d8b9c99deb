/// Tests of the formats against the providers' published rules.
@NullMarked
package dev.toolfleet.client.format;

import org.jspecify.annotations.NullMarked;
