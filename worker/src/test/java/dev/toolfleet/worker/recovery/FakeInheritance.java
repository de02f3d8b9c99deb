package dev.toolfleet.worker.recovery;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.call.CallFacts;

/// Inheritance that writes down what is noted.
final class FakeInheritance implements Recovery.Inheritance {
    final List<String> noted = new ArrayList<>();
    boolean owned = true;

    @Override
    public boolean inherited(CallFacts run, CallIntent intent) {
        noted.add("inherited after " + run.deaths());
        return owned;
    }

    @Override
    public void returned(CallFacts run, CallIntent intent) {
        noted.add("returned after " + run.deaths());
    }
}
