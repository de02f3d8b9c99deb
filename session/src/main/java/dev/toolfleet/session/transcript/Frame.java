package dev.toolfleet.session.transcript;

import java.util.ArrayList;
import java.util.List;

/// Assistant's entry with the results that its calls have taken.
final class Frame {
    static final int NONE = -1;

    final int index;
    final Entry message;
    final List<Slot> slots;

    Frame(int index, Entry message) {
        this.index = index;
        this.message = message;
        slots = new ArrayList<>(message.calls().size());
        for (Call call : message.calls())
            slots.add(new Slot(index, call));
    }

    /// One call and the index of its result.
    static final class Slot {
        final int frameIndex;
        final Call call;
        int result = NONE;

        private Slot(int frameIndex, Call call) {
            this.frameIndex = frameIndex;
            this.call = call;
        }
    }
}
