/// What a tool author tests a tool with, in any test framework: a context to call a handler with, and the contract that
/// every tool has to pass.
@NullMarked
package dev.toolfleet.testkit;

import org.jspecify.annotations.NullMarked;
