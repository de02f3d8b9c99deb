package dev.toolfleet.worker.record;

import java.time.LocalDate;
import java.util.List;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.BudgetPlace.Day;
import dev.toolfleet.wire.PublishedBudget;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.identity.WrittenBudgets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class PublishedBudgetsTest extends OutcomeRecordsFixture {
    private static final JournalRecords JOURNAL = new JournalRecords(WRITER);
    private static final BudgetPlace ANN = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, null,
            new Day(Day.Per.USER, LocalDate.of(2026, 11, 21), "ann"));
    private static final BudgetPlace INSTANCE = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, "i");
    private static final String CALL = "f".repeat(32);

    private static List<ProducerRecord<byte[], byte[]>> published(WrittenBudgets written) {
        return JOURNAL.budgets(run(), written).stream().filter(record -> record.topic().endsWith("tool.budget"))
                .toList();
    }

    @Test
    void amountsOfAgentsAndUsersAreWrittenTwice() {
        WrittenBudgets written = new WrittenBudgets(
                List.of(SpentBudget.at(INSTANCE, 1, NOW), SpentBudget.at(ANN, 3, NOW)), List.of());

        assertThat(JOURNAL.budgets(run(), written)).hasSize(3);
        assertThat(published(written)).singleElement().satisfies(record -> assertThat(
                WireCodec.of(PublishedBudget.class).read(record.value()))
                .isEqualTo(PublishedBudget.of(run().at().partition(), SpentBudget.at(ANN, 3, NOW), List.of())));
    }

    @Test
    void aTotalNamesTheAmountsThatItTakesUp() {
        WrittenBudgets written = new WrittenBudgets(List.of(SpentBudget.at(ANN, 3, NOW)),
                List.of(ANN.beside(CALL), INSTANCE.beside(CALL)));

        List<ProducerRecord<byte[], byte[]>> records = published(written);

        assertThat(WireCodec.of(PublishedBudget.class).read(records.getFirst().value()).taken()).containsExactly(CALL);
        assertThat(records.getLast().value()).as("its tombstone").isNull();
        assertThat(new String(records.getLast().key(), UTF_8))
                .isEqualTo(new BudgetPlace.InPartition(run().at().partition(), ANN.beside(CALL)).key());
        assertThat(records).hasSize(2);
    }
}
