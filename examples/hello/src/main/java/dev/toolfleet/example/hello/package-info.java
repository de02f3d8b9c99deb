/// A Tool that greets, and an Extension that tidies names.
@NullMarked
package dev.toolfleet.example.hello;

import org.jspecify.annotations.NullMarked;
