package dev.toolfleet.worker.tools.httpfetch;

import java.util.List;

import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HttpFetchConfigTest {
    private final DeclaredTool http = new DeclaredTool("http-fetch", new HttpFetchModule(EgressList.ALL));

    @Test
    void hostsMayBeDenied() throws Exception {
        http.configured("{'denyHosts': ['Bad.example', '*.evil.example']}");
        assertThat(refusal("http://bad.example/")).contains("denied by the operator");
        assertThat(refusal("http://bad.example./")).contains("denied by the operator");
        assertThat(refusal("http://a.b.evil.example/")).contains("denied by the operator");
        assertThat(refusal("http://127.0.0.1/")).contains("loopback");
    }

    @Test
    void onlySomeHostsMayBeAllowed() throws Exception {
        http.configured("{'allowHosts': ['*.good.example', '127.0.0.1'], 'denyHosts': ['bad.good.example']}");
        assertThat(refusal("http://good.example/")).contains("not among the hosts");
        assertThat(refusal("http://notgood.example/")).contains("not among the hosts");
        assertThat(refusal("http://bad.good.example/")).contains("denied by the operator");
        assertThat(refusal("http://127.0.0.1/")).as("a name is not an address").contains("loopback");
    }

    @Test
    void theListOfTheOperatorHoldsWhateverABundleSays() throws Exception {
        DeclaredTool listed = new DeclaredTool("http-fetch",
                new HttpFetchModule(EgressList.of(List.of("127.0.0.1:9000", "*.good.example"))));
        listed.configured("{'allowHosts': ['bad.example', '127.0.0.1'], 'allowPorts': ['1-65535'],"
                + " 'allowAddresses': ['10.0.0.0/8']}");

        assertThat(refusal(listed, "http://bad.example/")).contains("'bad.example', port 80", "worker.egress.allow");
        assertThat(refusal(listed, "http://127.0.0.1/")).contains("port 80", "worker.egress.allow");
        assertThat(refusal(listed, "http://10.0.0.1/")).contains("'10.0.0.1'", "worker.egress.allow");
        assertThat(refusal(listed, "http://127.0.0.1:9000/")).as("passes the list").contains("loopback");
        assertThat(refusal(listed, "http://a.good.example/")).as("a bundle narrows the list")
                .contains("not among the hosts").doesNotContain("worker.egress.allow");
    }

    @Test
    void anAllowedHostMayHaveOnePort() throws Exception {
        http.configured("{'allowHosts': ['127.0.0.1:8080'], 'allowPorts': ['1-65535']}");
        assertThat(refusal("http://127.0.0.1:8080/")).contains("loopback");
        assertThat(refusal("http://127.0.0.1:8081/")).contains("not among the hosts");
    }

    @Test
    void portsAreThoseOfWebServersUnlessConfigured() throws Exception {
        assertThat(refusal("http://127.0.0.1:22/")).contains("Port 22 may not be reached; allowed are 80, 443, 8080");
        http.configured("{'allowPorts': ['22', '9000-9002']}");
        assertThat(refusal("http://127.0.0.1:22/")).contains("loopback");
        assertThat(refusal("http://127.0.0.1:9002/")).contains("loopback");
        assertThat(refusal("http://127.0.0.1:9003/")).contains("Port 9003");
        assertThat(refusal("http://127.0.0.1/")).contains("Port 80");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'allowHosts': ['http://a.example']} | spec.config.allowHosts holds 'http://",
            "{'denyHosts': ['*']} | spec.config.denyHosts holds '*'", "{'denyHosts': 'a'} | must be a list of texts",
            "{'allowAddresses': ['10.0.0.1/8']} | spec.config.allowAddresses holds '10.0.0.1/8'",
            "{'denyAddresses': ['localhost']} | spec.config.denyAddresses holds 'localhost'",
            "{'allowPorts': ['0']} | spec.config.allowPorts holds '0'",
            "{'allowPorts': ['2-1']} | spec.config.allowPorts holds '2-1'",
            "{'maxBytes': 0} | spec.config.maxBytes must be", "{'proxy': 'x'} | spec.config.proxy is not a setting"})
    void whatCannotBeMeantIsRefused(String config, String problem) {
        assertThatIllegalArgumentException().isThrownBy(() -> http.configured(config)).withMessageContaining(problem);
    }

    private String refusal(String url) throws Exception {
        return refusal(http, url);
    }

    private static String refusal(DeclaredTool tool, String url) throws Exception {
        var failure = tool.failure("get", "{'url': '" + url + "'}");
        assertThat(failure.code()).isEqualTo("E_HTTP_REFUSED");
        return String.valueOf(failure.getMessage());
    }
}
