package dev.toolfleet.cli.letter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.letter.LetterDisposer.Wish;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterTopic;
import dev.toolfleet.client.letter.Origin;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Carries out what is to be done with letters, in transactions of a bounded size: a letter is replayed and marked, or
/// neither. Letters that came from one partition are replayed in the order that they had there.
final class Disposal {
    private static final int LETTERS = 500;
    private static final long BYTES = 8L << 20;

    private final RemoteFleet fleet;
    private final LetterTopic topic;
    private final ProgressNote progress;
    private final List<String> passedOver = new ArrayList<>();
    private final List<Letter> done = new ArrayList<>();

    Disposal(RemoteFleet fleet, LetterTopic topic, ProgressNote progress) {
        this.fleet = fleet;
        this.topic = topic;
        this.progress = progress;
    }

    /// Why letters were left alone after all.
    List<String> passedOver() {
        return List.copyOf(passedOver);
    }

    /// @return those that it was done with
    /// @throws Failure when it was not done, or only with some; it names those
    List<Letter> carryOut(Fate.Word word, List<Letter> letters, Wish wish) {
        Map<String, Object> client = fleet.kafka();
        Topics names = fleet.topics();
        try (LetterTransaction transaction = new LetterTransaction(client, names)) {
            transaction.claim();
            List<Letter> left = unseen(letters);
            for (int from = 0; from < left.size();) {
                int to = end(left, from);
                progress.doing(done.size() + " of " + left.size() + " " + word.text());
                batch(transaction, word, left.subList(from, to), wish);
                from = to;
            }
            return List.copyOf(done);
        } catch (KafkaException e) {
            if (isFenced(e) || (e.getCause() != null && isFenced(e.getCause())))
                throw Failure.failed("another operator used toolfleet dlq at the same moment and was first; "
                        + sofar(word) + ". Look at toolfleet dlq list, and try again", e);
            throw Failure.failed("at " + client.get("bootstrap.servers") + ": " + e.getMessage() + "; " + sofar(word)
                    + ", and the same command goes on with the others", e);
        }
    }

    private static boolean isFenced(Throwable thrown) {
        return thrown instanceof ProducerFencedException || thrown instanceof InvalidProducerEpochException;
    }

    private String sofar(Fate.Word word) {
        return (done.isEmpty() ? "nothing" : LetterDisposer.counted(done.size())) + " of yours was " + word.text();
    }

    /// Drops the letters that another operator has disposed of since this command looked.
    private List<Letter> unseen(List<Letter> letters) {
        Map<LetterAddress, Fate> fates = fates(letters);
        List<Letter> unseen = new ArrayList<>();
        for (Letter letter : letters) {
            Fate fate = fates.get(letter.address());
            if (fate == null || letter.fate().filter(fate::equals).isPresent())
                unseen.add(letter);
            else
                passedOver.add(letter.address() + " was " + fate.word().text() + " meanwhile"
                        + (fate.by() == null ? "" : " by " + ShownJson.brief(fate.by(), 60)));
        }
        unseen.sort(Comparator.comparing((Letter letter) -> letter.origin().map(Origin::topic).orElse(""))
                .thenComparing(letter -> letter.origin().map(Origin::partition).orElse(0))
                .thenComparing(letter -> letter.origin().map(Origin::offset).orElse(0L))
                .thenComparing(Letter::address));
        return unseen;
    }

    private Map<LetterAddress, Fate> fates(List<Letter> letters) {
        try {
            return topic.allFates(letters.stream().map(Letter::address).toList());
        } catch (TimeoutException e) {
            throw Failure.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private static int end(List<Letter> letters, int from) {
        long bytes = 0;
        int to = from;
        while (to < letters.size() && to - from < LETTERS && (to == from || bytes < BYTES)) {
            bytes += letters.get(to).bytes();
            to++;
        }
        return to;
    }

    private void batch(LetterTransaction transaction, Fate.Word word, List<Letter> letters, Wish wish) {
        Map<LetterAddress, ConsumerRecord<byte[], byte[]>> records = word == Fate.Word.REPLAYED
                ? records(letters)
                : Map.of();
        List<Letter> written = new ArrayList<>();
        transaction.begin();
        try {
            for (Letter letter : letters) {
                if (word == Fate.Word.REPLAYED && !replay(transaction, letter, records.get(letter.address())))
                    continue;
                transaction.mark(letter.address(), new Fate(word, wish.by(), wish.note(), fleet.clock().instant()));
                written.add(letter);
            }
            commit(transaction, word, written.size());
        } catch (KafkaException e) {
            if (!isFenced(e))
                abort(transaction, e);
            throw e;
        }
        done.addAll(written);
    }

    private Map<LetterAddress, ConsumerRecord<byte[], byte[]>> records(List<Letter> letters) {
        Map<LetterAddress, ConsumerRecord<byte[], byte[]>> records = new HashMap<>();
        topic.records(letters.stream().map(Letter::address).toList(),
                record -> records.put(Letter.address(record), record));
        return records;
    }

    /// Partitions are followed, also by what is sent again.
    private boolean replay(LetterTransaction transaction, Letter letter,
            @Nullable ConsumerRecord<byte[], byte[]> record) {
        Optional<Origin> from = letter.origin();
        if (record == null || from.isEmpty()) {
            passedOver.add(letter.address() + " is gone");
            return false;
        }
        Origin origin = from.get();
        if (origin.partition() < transaction.partitions(origin.topic())) {
            transaction.replay(record, origin.topic(), origin.partition());
            return true;
        }
        boolean followed = new LetterJudge(fleet.topics()).topic(origin)
                .filter(base -> base.group() != Topic.Group.FREE).isPresent();
        if (followed) {
            passedOver.add(letter.address() + " came from partition " + origin.partition() + " of " + origin.topic()
                    + ", which has none of that number any more, and its instance's records would part");
            return false;
        }
        transaction.replay(record, origin.topic(), null);
        return true;
    }

    private static void commit(LetterTransaction transaction, Fate.Word word, int count) {
        try {
            transaction.commit();
        } catch (TimeoutException e) {
            throw Failure.failed("whether " + LetterDisposer.counted(count) + " were " + word.text() + " is not known,"
                    + " because the broker did not answer in time; toolfleet dlq list --all says it; the same"
                    + " command again does no harm, unless it says --force", e);
        }
    }

    private static void abort(LetterTransaction transaction, KafkaException cause) {
        try {
            transaction.abort();
        } catch (KafkaException e) {
            cause.addSuppressed(e);
        }
    }
}
