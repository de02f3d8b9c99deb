package dev.toolfleet.client.access;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.client.topics.BrokerErrors;
import dev.toolfleet.client.topics.FleetTopicsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/// Creates ACLs on the brokers. Every method blocks at most about the given timeout and fails with a
/// [FleetTopicsException] whose message is one line for a person. Thread-safe.
public final class FleetAcls {
    /// The broker setting that enables ACLs, for brokers of KRaft clusters.
    public static final String AUTHORIZER = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer";

    private final Map<String, Object> properties;
    private final Duration timeout;

    /// Makes access to the ACLs of the cluster to which `properties` lead.
    ///
    /// @param properties Kafka client properties: `bootstrap.servers`, and the login of a principal that may alter ACLs
    public FleetAcls(Map<String, ?> properties, Duration timeout) {
        this.properties = Map.copyOf(properties);
        this.timeout = timeout;
    }

    /// Creates those of the ACLs that do not exist yet; removes none.
    ///
    /// @param acls of one principal
    public AclsReport grant(String principal, Collection<AclBinding> acls) {
        Map<String, Object> config = new HashMap<>(properties);
        int millis = Math.toIntExact(timeout.toMillis());
        config.put("default.api.timeout.ms", millis);
        config.put("request.timeout.ms", millis);
        try (Admin admin = Admin.create(config)) {
            // Nothing is under way after this has ended or failed.
            try {
                Set<AclBinding> there = new HashSet<>(admin.describeAcls(of(principal)).values().get());
                List<AclBinding> missing = acls.stream().filter(acl -> !there.contains(acl)).distinct().toList();
                admin.createAcls(missing).all().get();
                return new AclsReport(missing, acls.stream().filter(there::contains).distinct().toList());
            } finally {
                admin.close(Duration.ZERO);
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new FleetTopicsException("interrupted while creating ACLs at " + servers(), e);
        } catch (ExecutionException e) {
            throw failed(e.getCause() == null ? e : e.getCause());
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    private static AclBindingFilter of(String principal) {
        return new AclBindingFilter(ResourcePatternFilter.ANY,
                new AccessControlEntryFilter(principal, null, AclOperation.ANY, AclPermissionType.ANY));
    }

    private FleetTopicsException failed(Throwable cause) {
        return switch (cause) {
            case SecurityDisabledException e -> new FleetTopicsException("the brokers at " + servers()
                    + " have no authorizer, so ACLs cannot be kept and every client may do everything; set "
                    + AUTHORIZER
                    + " and super.users on every broker and controller, then try again", e);
            case AuthorizationException e -> new FleetTopicsException("this login may not create ACLs at " + servers()
                    + "; use one of the brokers' super.users, or a principal with the rights Describe and Alter on the"
                    + " cluster (--dry-run prints the ACLs for a principal with that right)", e);
            default -> BrokerErrors.explain(cause, servers(),
                    timeout.toSeconds() + " s", "creating ACLs at " + servers());
        };
    }

    private String servers() {
        return "bootstrap.servers=" + properties.getOrDefault("bootstrap.servers", "(not set)");
    }
}
