package dev.toolfleet.worker.pipeline;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.CallIntent;

/// Inheritance that writes down what is noted.
final class FakeInheritance implements Recovery.Inheritance {
    final List<String> noted = new ArrayList<>();
    boolean owned = true;

    @Override
    public boolean inherited(CallRun run, CallIntent intent) {
        noted.add("inherited after " + run.deaths());
        return owned;
    }

    @Override
    public void returned(CallRun run, CallIntent intent) {
        noted.add("returned after " + run.deaths());
    }
}
