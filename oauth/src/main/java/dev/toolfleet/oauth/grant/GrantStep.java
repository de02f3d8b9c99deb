package dev.toolfleet.oauth.grant;

import java.util.ArrayList;
import java.util.List;

/// Step of a grant: its next state, and the effects in their order.
public record GrantStep(GrantState next, List<GrantEffect> effects) {
    /// Copies the list.
    public GrantStep {
        effects = List.copyOf(effects);
    }

    static GrantStep none(GrantState state) {
        return new GrantStep(state, List.of());
    }

    GrantStep and(GrantEffect effect) {
        List<GrantEffect> more = new ArrayList<>(effects);
        more.add(effect);
        return new GrantStep(next, more);
    }
}
