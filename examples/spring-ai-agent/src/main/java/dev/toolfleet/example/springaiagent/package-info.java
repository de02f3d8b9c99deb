/// A Spring Boot application whose tools run in a fleet.
@NullMarked
package dev.toolfleet.example.springaiagent;

import org.jspecify.annotations.NullMarked;
