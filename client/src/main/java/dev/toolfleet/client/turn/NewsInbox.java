package dev.toolfleet.client.turn;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// News by conversation, until they are taken. Thread-safe.
///
/// Holds a bounded number. Otherwise: conversations that never go on fill the memory of their process.
final class NewsInbox {
    private static final Logger LOG = LoggerFactory.getLogger(NewsInbox.class);
    private static final int MAX_WAITING = 10_000;

    /// The conversation whose first news is the oldest comes first. Guarded by this.
    private final Map<String, Deque<CallNews>> waiting = new LinkedHashMap<>();
    private final int maxWaiting;
    private int size;

    NewsInbox() {
        this(MAX_WAITING);
    }

    NewsInbox(int maxWaiting) {
        this.maxWaiting = maxWaiting;
    }

    synchronized void add(CallNews news) {
        of(news).addLast(news);
        drop();
    }

    /// Puts news back that were taken and not read, before those that came since.
    synchronized void putBack(List<CallNews> taken) {
        taken.reversed().forEach(news -> of(news).addFirst(news));
        drop();
    }

    /// Returns the news of a conversation in the order of their arrival, and keeps none.
    synchronized List<CallNews> take(String instanceKey) {
        Deque<CallNews> taken = waiting.remove(instanceKey);
        if (taken == null)
            return List.of();
        size -= taken.size();
        return List.copyOf(taken);
    }

    private Deque<CallNews> of(CallNews news) {
        size++;
        return waiting.computeIfAbsent(news.call().instanceKey(), key -> new ArrayDeque<>());
    }

    private void drop() {
        while (size > maxWaiting) {
            Map.Entry<String, Deque<CallNews>> oldest = waiting.entrySet().iterator().next();
            CallNews dropped = oldest.getValue().removeFirst();
            size--;
            if (oldest.getValue().isEmpty())
                waiting.remove(oldest.getKey());
            LOG.warn("news of call '{}' of instance '{}' are dropped: more than {} wait to be taken by their"
                    + " conversations; its result is on the fleet's topic of results", dropped.call().id(),
                    oldest.getKey(), maxWaiting);
        }
    }
}
