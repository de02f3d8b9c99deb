package dev.toolfleet.cli.letter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.client.letter.LetterTopic;
import org.jspecify.annotations.Nullable;

/// `toolfleet dlq replay` and `discard`: finds the letters that a person means, names those that cannot be sent again
/// and why, waits for a confirmation, and writes.
public final class LetterDisposer {
    /// Largest number of letters of one command.
    private static final int MOST = 10_000;
    private static final int SHOWN = 20;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Sees to dead letters of this fleet.
    public LetterDisposer(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Which letters, and how sure the person is.
    ///
    /// @param addresses those, or none for all of the filter
    /// @param force also those that would be dead letters again, or were seen to before
    /// @param by who
    /// @param note why; for auditors
    public record Wish(List<LetterAddress> addresses, LetterFilter filter, boolean force, String by,
            @Nullable String note) {
        /// Copies the addresses.
        public Wish {
            addresses = List.copyOf(addresses);
        }
    }

    /// Confirmation by a person, who has been shown the letters. A refusal ends the command, and nothing is written.
    @FunctionalInterface
    public interface Confirmation {
        /// True if the person agrees.
        boolean given(String question);
    }

    /// Writes the letters again to where they came from.
    ///
    /// @return 0 when all were; 1 when some could not be
    public int replay(Wish wish, Confirmation confirmation) {
        return dispose(Fate.Word.REPLAYED, wish, confirmation);
    }

    /// Puts the letters away.
    ///
    /// @return 0 when all were; 1 when some were not there, or seen to before
    public int discard(Wish wish, Confirmation confirmation) {
        return dispose(Fate.Word.DISCARDED, wish, confirmation);
    }

    private int dispose(Fate.Word word, Wish wish, Confirmation confirmation) {
        try (ProgressNote progress = fleet.progress(); LetterTopic topic = LetterViewer.open(fleet, progress)) {
            List<Letter> letters = wish.addresses().isEmpty() ? filtered(topic, wish) : named(topic, wish);
            Map<LetterAddress, Judgement> judgements = word == Fate.Word.REPLAYED
                    ? judgements(topic, letters, progress)
                    : Map.of();
            List<Letter> possible = new ArrayList<>();
            for (Letter letter : letters) {
                Judgement judgement = judgements.getOrDefault(letter.address(), Judgement.FINE);
                if (goes(word, letter, judgement, wish.force()))
                    possible.add(letter);
            }
            int refused = letters.size() - possible.size()
                    + Math.max(0, new HashSet<>(wish.addresses()).size() - letters.size());
            if (possible.isEmpty())
                return nothing(word, refused);
            progress.doing("");
            String question = shown(word, possible, judgements);
            if (!confirmation.given(question))
                return Failure.FAILED;
            Disposal disposal = new Disposal(fleet, topic, progress);
            List<Letter> done = disposal.carryOut(word, possible, wish);
            disposal.passedOver().forEach(why -> terminal.note("toolfleet: " + why));
            terminal.print(word.text() + " " + counted(done.size())
                    + (word == Fate.Word.REPLAYED ? "; what cannot be used becomes a dead letter again" : ""));
            return refused == 0 && done.size() == possible.size() ? Failure.SUCCESS : Failure.FAILED;
        }
    }

    private int nothing(Fate.Word word, int refused) {
        terminal.print("no dead letter was " + word.text());
        return refused == 0 ? Failure.SUCCESS : Failure.FAILED;
    }

    private List<Letter> filtered(LetterTopic topic, Wish wish) {
        List<Letter> open = topic.letters(wish.filter(), fleet.topics().prefix()).letters().stream()
                .filter(letter -> letter.fate().isEmpty()).sorted(Comparator.comparing(Letter::at)).toList();
        if (open.size() > MOST)
            terminal.note("toolfleet: these are the oldest " + MOST + " of " + open.size()
                    + "; the same command again goes on with the others");
        return open.subList(0, Math.min(MOST, open.size()));
    }

    private List<Letter> named(LetterTopic topic, Wish wish) {
        Map<LetterAddress, Letter> found = new HashMap<>();
        topic.records(wish.addresses(), record -> found.put(Letter.address(record), Letter.of(record)));
        topic.fates(found.keySet()).forEach(
                (address, fate) -> found.computeIfPresent(address, (same, letter) -> letter.with(fate)));
        wish.addresses().stream().distinct().filter(address -> !found.containsKey(address))
                .forEach(address -> terminal.note("toolfleet: " + LetterViewer.missing(address)));
        return found.values().stream().sorted(Comparator.comparing(Letter::address)).toList();
    }

    private Map<LetterAddress, Judgement> judgements(LetterTopic topic, Collection<Letter> letters,
            ProgressNote progress) {
        Map<LetterAddress, Letter> byAddress = new HashMap<>();
        letters.forEach(letter -> byAddress.put(letter.address(), letter));
        LetterJudge judging = new LetterJudge(fleet.topics());
        Map<LetterAddress, Judgement> judged = new HashMap<>();
        topic.records(byAddress.keySet(), record -> {
            Letter letter = byAddress.get(Letter.address(record));
            if (letter != null)
                judged.put(letter.address(), judging.of(letter, record));
        });
        Set<String> asked = new HashSet<>();
        judged.values().forEach(judgement -> {
            if (judgement instanceof Judgement.IfOpen(String handle))
                asked.add(handle);
        });
        Set<String> open = asked.isEmpty() ? Set.of() : open(asked, progress);
        judged.replaceAll((address, judgement) -> LetterJudge.settled(judgement, open));
        return judged;
    }

    private Set<String> open(Set<String> asked, ProgressNote progress) {
        Set<String> open = new HashSet<>();
        try (HandleReader reader = fleet.handles(progress)) {
            for (HandleState.Open state : reader.open(call -> asked.contains(call.handle())))
                open.add(state.handle());
        }
        return open;
    }

    private boolean goes(Fate.Word word, Letter letter, Judgement judgement, boolean force) {
        if (letter.fate().isPresent() && !force) {
            Fate fate = letter.fate().get();
            terminal.note("toolfleet: " + letter.address() + " was " + fate.word().text() + " before, at " + fate.at()
                    + (fate.by() == null ? "" : " by " + ShownJson.brief(fate.by(), 60))
                    + (word == Fate.Word.REPLAYED ? "; --force insists" : ""));
            return false;
        }
        if (!(judgement instanceof Judgement.Refused(String why, boolean insisting)) || (insisting && force))
            return true;
        terminal.note("toolfleet: " + letter.address() + " cannot be " + word.text() + ": "
                + ShownJson.brief(why, 300) + (insisting ? "; --force insists" : ""));
        return false;
    }

    private String shown(Fate.Word word, List<Letter> letters, Map<LetterAddress, Judgement> judgements) {
        LetterViewer.text(fleet).table(letters.subList(0, Math.min(SHOWN, letters.size())), false)
                .forEach(terminal::note);
        if (letters.size() > SHOWN)
            terminal.note("and " + (letters.size() - SHOWN) + " more");
        Map<String, Integer> notes = new HashMap<>();
        letters.forEach(letter -> {
            if (judgements.get(letter.address()) instanceof Judgement.Possible(String note) && !note.isEmpty())
                notes.merge(note, 1, Integer::sum);
        });
        notes.forEach((note, count) -> terminal.note("Note on " + counted(count) + ": " + note + "."));
        return (word == Fate.Word.REPLAYED ? "Replay " : "Discard ") + counted(letters.size()) + "?";
    }

    static String counted(int letters) {
        return letters == 1 ? "1 dead letter" : letters + " dead letters";
    }
}
