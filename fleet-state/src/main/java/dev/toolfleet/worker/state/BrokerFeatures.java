package dev.toolfleet.worker.state;

import java.time.Duration;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Features that the brokers must have.
public final class BrokerFeatures {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerFeatures.class);
    private static final String TRANSACTIONS = "transaction.version";
    private static final short NEEDED = 2;

    private BrokerFeatures() {}

    /// Checks that a late request of one transaction cannot end the next (KIP-890). Otherwise: a commit that was given
    /// up arrives late and commits half of the next transaction.
    ///
    /// @throws IllegalStateException if the cluster is pinned to an older protocol
    public static void check(Admin admin, Duration atMost) {
        FinalizedVersionRange found;
        try {
            found = AdminAnswer.of(admin.describeFeatures().featureMetadata(), atMost).finalizedFeatures()
                    .get(TRANSACTIONS);
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString())
                    .log("broker features could not be read: transaction.version 2 is assumed");
            return;
        }
        short level = found == null ? 0 : found.maxVersionLevel();
        if (level < NEEDED) {
            throw new IllegalStateException("the Kafka cluster works with " + TRANSACTIONS + " " + level
                    + ", but exactly one result per call needs " + NEEDED
                    + " (KIP-890). Raise it: kafka-features.sh --bootstrap-server HOST:PORT upgrade --feature "
                    + TRANSACTIONS + "=" + NEEDED);
        }
    }
}
