package dev.toolfleet.worker.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Access tokens that calls of this process got lately: no result may show one.
///
/// Texts are searched with a rolling hash over the ends of all forms of the tokens (Karp and Rabin, 1987). So a token is
/// added in the time of its own length, and a search takes the same time for one token as for a thousand.
///
/// **Threads.** Thread-safe.
public final class IssuedTokens {
    /// The most tokens that are remembered, the newest.
    static final int MOST = 1_000;
    private static final int WINDOW = 16;
    private static final long BASE = 1_000_003;
    private static final long OLDEST = power();

    private final Map<String, List<String>> tokens = new LinkedHashMap<>(16, 0.75f, true);
    private volatile Map<Long, List<String>> ends = Map.of();

    /// Makes a memory without tokens.
    public IssuedTokens() {}

    private static long power() {
        long power = 1;
        for (int i = 1; i < WINDOW; i++)
            power *= BASE;
        return power;
    }

    /// Remembers a token. One that is too short to be recognized is left out.
    public void add(String token) {
        synchronized (tokens) {
            if (tokens.get(token) != null)
                return;
            List<String> forms = KnownSecrets.forms(token).stream().filter(form -> form.length() >= WINDOW).toList();
            if (forms.isEmpty())
                return;
            tokens.put(token, forms);
            Map<Long, List<String>> next = new HashMap<>(ends);
            if (tokens.size() > MOST) {
                Iterator<List<String>> eldest = tokens.values().iterator();
                eldest.next().forEach(form -> next.computeIfPresent(end(form), (hash, known) -> without(known, form)));
                eldest.remove();
            }
            forms.forEach(form -> next.merge(end(form), List.of(form), IssuedTokens::both));
            ends = next;
        }
    }

    private static @Nullable List<String> without(List<String> known, String form) {
        List<String> left = new ArrayList<>(known);
        left.remove(form);
        return left.isEmpty() ? null : List.copyOf(left);
    }

    private static List<String> both(List<String> known, List<String> added) {
        List<String> all = new ArrayList<>(known);
        all.addAll(added);
        return List.copyOf(all);
    }

    private static long end(String form) {
        long hash = 0;
        for (int i = form.length() - WINDOW; i < form.length(); i++)
            hash = hash * BASE + form.charAt(i);
        return hash;
    }

    int ends() {
        return ends.size();
    }

    void find(String text, Spans spans) {
        Map<Long, List<String>> known = ends;
        if (known.isEmpty() || text.length() < WINDOW)
            return;
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            if (i >= WINDOW)
                hash -= text.charAt(i - WINDOW) * OLDEST;
            hash = hash * BASE + text.charAt(i);
            if (i < WINDOW - 1)
                continue;
            List<String> forms = known.get(hash);
            if (forms != null) {
                for (String form : forms) {
                    int begin = i + 1 - form.length();
                    if (begin >= 0 && text.startsWith(form, begin))
                        spans.add(begin, i + 1);
                }
            }
        }
    }
}
