/// Test kit for tool authors, for any test framework: a context for calling a handler, and the contract that every tool
/// must pass.
@NullMarked
package dev.toolfleet.testkit;

import org.jspecify.annotations.NullMarked;
