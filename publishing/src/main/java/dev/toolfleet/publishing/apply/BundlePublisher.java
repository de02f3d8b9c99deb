package dev.toolfleet.publishing.apply;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Writes bundles to `tool.resource`: each as one revision, in one Kafka transaction. Of two who apply one bundle at
/// once the later one wins, and the earlier one either was done before or fails; a half-written revision is
/// nothing. Other bundles' resources have other keys, and are never touched. Thread-safe.
public final class BundlePublisher {
    private final String topic;
    private final Map<String, Object> clientProperties;
    private final InstantSource clock;

    /// Plan of a revision that is not written.
    ///
    /// @param before the topic as it is
    public record Preview(RevisionPlan plan, ResourceTable before) {}

    /// @param topic the name of `tool.resource`, which exists
    /// @param clientProperties how to reach Kafka
    public BundlePublisher(String topic, Map<String, Object> clientProperties, InstantSource clock) {
        this.topic = topic;
        this.clientProperties = Map.copyOf(clientProperties);
        this.clock = clock;
    }

    /// Makes the bundle consist of these resources.
    ///
    /// @throws ApplyException when the bundle takes the name of another bundle's Agent, or the broker does not let it
    public AppliedRevision publish(String bundle, List<RevisionPlan.Declared> resources) {
        return publish(bundle, resources, null);
    }

    /// The same, signed.
    ///
    /// @param signer null for no signature
    /// @throws ApplyException when the bundle takes the name of another bundle's Agent, or the broker does not let it
    public AppliedRevision publish(String bundle, List<RevisionPlan.Declared> resources,
            @Nullable BundleSigner signer) {
        return publish(bundle, before -> resources, signer, null);
    }

    /// Makes the bundle consist of what a source returns once every earlier writer of the bundle is fenced. So of
    /// several processes that publish the newest state of one source, the last one publishes what the source has then,
    /// and an earlier one fails or was done before.
    ///
    /// @param source gets what is applied then
    /// @param signer null for no signature
    /// @param beside writes more records into the same transaction; null for none. With it, there is a transaction also
    ///        when the bundle is already as declared
    /// @throws ApplyException when the bundle takes the name of another bundle's Agent, or the broker does not let it
    public AppliedRevision publish(String bundle, Function<ResourceTable, List<RevisionPlan.Declared>> source,
            @Nullable BundleSigner signer, @Nullable Consumer<ResourceTransaction> beside) {
        try (ResourceTransaction transaction = new ResourceTransaction(topic, clientProperties, "apply." + bundle,
                clock)) {
            ResourceTable before = transaction.read();
            List<RevisionPlan.Declared> resources = source.apply(before);
            AgentClaims.refuseNew(bundle, resources, before.view());
            SkillVersions.refuseLower(bundle, resources, before.view());
            RevisionPlan plan = RevisionPlan.of(bundle, resources, before, signer);
            AppliedRevision applied = RevisionChanges.of(plan, before);
            if (plan.changes() || beside != null) {
                transaction.begin();
                transaction.write(plan, "/toolfleet/apply");
                if (beside != null)
                    beside.accept(transaction);
                commit(transaction, bundle, plan.revision());
            }
            return applied;
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw ApplyException.failed(
                    "someone else applied the bundle " + bundle + " at the same moment; apply it again", e);
        } catch (KafkaException e) {
            throw ApplyException.failed("the bundle " + bundle + " could not be applied at "
                    + clientProperties.get("bootstrap.servers") + ": " + e.getMessage(), e);
        }
    }

    private static void commit(ResourceTransaction transaction, String bundle, long revision) {
        try {
            transaction.commit();
        } catch (TimeoutException e) {
            throw ApplyException.failed("whether revision " + revision + " of the bundle " + bundle
                    + " was applied is not known, because the broker did not answer in time; apply it again, which does "
                    + "nothing if it was", e);
        }
    }

    /// Returns the changes that [#publish] would make now. Writes nothing and fences no writer.
    ///
    /// @throws ApplyException when the bundle takes the name of another bundle's Agent, or the broker does not answer
    public Preview preview(String bundle, List<RevisionPlan.Declared> resources) {
        try {
            ResourceTable before = new ResourceReader(topic, clientProperties).readToEnd();
            AgentClaims.refuseNew(bundle, resources, before.view());
            SkillVersions.refuseLower(bundle, resources, before.view());
            return new Preview(RevisionPlan.of(bundle, resources, before), before);
        } catch (KafkaException e) {
            throw ApplyException
                    .failed("the bundles at " + clientProperties.get("bootstrap.servers") + " cannot be read: "
                            + e.getMessage(), e);
        }
    }

    /// A sentence for each Agent of the bundle that another bundle has too, and that therefore only one of them has.
    public List<String> sharedAgents(String bundle) {
        try {
            return AgentClaims.both(bundle, new ResourceReader(topic, clientProperties).readToEnd().view());
        } catch (KafkaException | ApplyException e) {
            return List.of("whether another bundle declares an Agent of " + bundle + " could not be checked: "
                    + e.getMessage());
        }
    }
}
