package dev.toolfleet.bundle.yaml;

import java.util.List;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Problem;

/// What a folder held: everything that could be read, and a problem for everything that could not.
public record LoadResult(Bundle bundle, List<Problem> problems) {}
