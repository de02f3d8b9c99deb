/// Tests with the real Spring AI, its auto-configuration, and a model that follows a script.
@NullMarked
package dev.toolfleet.springai;

import org.jspecify.annotations.NullMarked;
