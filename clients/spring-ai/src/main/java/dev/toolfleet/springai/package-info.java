/// The fleet's tools for chat clients of Spring AI.
@NullMarked
package dev.toolfleet.springai;

import org.jspecify.annotations.NullMarked;
