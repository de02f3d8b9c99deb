package dev.toolfleet.gateway.jwt;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import dev.toolfleet.gateway.jwt.TokenVerdict.Fault;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.toolfleet.gateway.jwt.TestIssuer.NOW;
import static org.assertj.core.api.Assertions.assertThat;

class TokenCheckTest {
    private final TestIssuer issuer = new TestIssuer(NOW);
    private final HttpKeyFetch fetch = new HttpKeyFetch();
    private final TokenCheck check = new TokenCheck(Map.of(issuer.issuer(), issuer.jwksUri()), fetch,
            InstantSource.fixed(NOW), System::nanoTime);

    @AfterEach
    void close() {
        fetch.close();
        issuer.close();
    }

    private Fault fault(String token) {
        TokenVerdict verdict = check.check(token);
        assertThat(verdict).isInstanceOf(TokenVerdict.Refused.class);
        return ((TokenVerdict.Refused) verdict).fault();
    }

    @ParameterizedTest
    @CsvSource({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
    void tokensOfRsaKeysAreAccepted(String algorithm) {
        RSAKey key = issuer.add(TestIssuer.rsa(2048, "k"));

        TokenVerdict verdict = check.check(TestIssuer.sign(key, JWSAlgorithm.parse(algorithm), issuer.claims()));

        assertThat(verdict).isInstanceOfSatisfying(TokenVerdict.Valid.class, valid -> {
            assertThat(valid.issuer()).isEqualTo(issuer.issuer());
            assertThat(valid.claims().text("sub")).contains("ann");
        });
    }

    @ParameterizedTest
    @CsvSource({"ES256, P-256", "ES384, P-384", "ES512, P-521"})
    void tokensOfEllipticKeysAreAcceptedWithTheirCurveOnly(String algorithm, String curve) {
        ECKey key = issuer.add(TestIssuer.ec(Curve.parse(curve), "k"));

        assertThat(check.check(TestIssuer.sign(key, JWSAlgorithm.parse(algorithm), issuer.claims())))
                .isInstanceOf(TokenVerdict.Valid.class);
        ECKey other = TestIssuer.ec(curve.equals("P-256") ? Curve.P_384 : Curve.P_256, "k");
        assertThat(check.check(TestIssuer.sign(other, curve.equals("P-256") ? JWSAlgorithm.ES384 : JWSAlgorithm.ES256,
                issuer.claims()))).isNotInstanceOf(TokenVerdict.Valid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EdDSA", "Ed25519"})
    void tokensOfEdwardsKeysAreAcceptedUnlessTheyWereChanged(String algorithm) throws Exception {
        // Keys whose last bit is set and not set: it is the sign of the point.
        for (int i = 0; i < 8; i++) {
            String kid = "k" + i;
            TestIssuer.Edwards key = TestIssuer.Edwards.of(kid);
            issuer.add(JWK.parse(key.jwk()));
            TokenCheck fresh = new TokenCheck(Map.of(issuer.issuer(), issuer.jwksUri()), fetch,
                    InstantSource.fixed(NOW), System::nanoTime);
            String token = key.sign(algorithm, kid, issuer.claims());

            assertThat(fresh.check(token)).isInstanceOf(TokenVerdict.Valid.class);
            String[] parts = token.split("\\.", -1);
            String changed = parts[0] + "."
                    + TestIssuer.encode(Json.MAPPER.writeValueAsString(issuer.claims("sub", "eve"))) + "." + parts[2];
            assertThat(fresh.check(changed)).isEqualTo(
                    new TokenVerdict.Refused(Fault.SIGNATURE, "the signature of the token is wrong"));
            assertThat(fresh.check(parts[0] + "." + parts[1] + ".AAAA")).isInstanceOf(TokenVerdict.Refused.class);
        }
    }

    @Test
    void aTokenWithoutSignatureIsRefused() {
        issuer.rotated("k");
        String claims = Json.MAPPER.writeValueAsString(issuer.claims());

        for (String none : new String[]{"none", "None", "NONE", ""}) {
            assertThat(check.check(TestIssuer.unsigned("{\"alg\":\"" + none + "\",\"kid\":\"k\"}", claims, "")))
                    .as(none).isInstanceOf(TokenVerdict.Refused.class);
        }
        assertThat(fault(TestIssuer.unsigned("{\"alg\":\"ES256\",\"kid\":\"k\"}", claims, "")))
                .isIn(Fault.SIGNATURE, Fault.MALFORMED);
    }

    @Test
    void aPublicKeyIsNoSecretForHmac() throws Exception {
        RSAKey key = issuer.add(TestIssuer.rsa(2048, "k"));
        String pem = "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder(64, new byte[]{'\n'})
                .encodeToString(key.toRSAPublicKey().getEncoded()) + "\n-----END PUBLIC KEY-----\n";
        for (byte[] secret : new byte[][]{pem.getBytes(StandardCharsets.US_ASCII),
                key.toRSAPublicKey().getEncoded(), key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)}) {
            JWSObject jws = new JWSObject(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k").build(),
                    new Payload(Json.MAPPER.writeValueAsString(issuer.claims())));
            jws.sign(new MACSigner(secret));

            assertThat(fault(jws.serialize())).isEqualTo(Fault.ALGORITHM);
        }
        assertThat(issuer.fetches()).isZero();
    }

    @Test
    void theKeyDecidesAboutTheAlgorithm() {
        RSAKey only = issuer.add(new RSAKey.Builder(TestIssuer.rsa(2048, "k")).algorithm(JWSAlgorithm.RS256).build());

        assertThat(check.check(TestIssuer.sign(only, JWSAlgorithm.RS256, issuer.claims())))
                .isInstanceOf(TokenVerdict.Valid.class);
        assertThat(check.check(TestIssuer.sign(only, JWSAlgorithm.PS256, issuer.claims())))
                .isNotInstanceOf(TokenVerdict.Valid.class);
    }

    @Test
    void shortKeysAndKeysForEncryptionAreNotUsed() {
        RSAKey weak = issuer.add(TestIssuer.rsa(1024, "weak"));
        RSAKey encrypts = issuer.add(new RSAKey.Builder(TestIssuer.rsa(2048, "enc"))
                .keyUse(com.nimbusds.jose.jwk.KeyUse.ENCRYPTION).build());

        assertThat(fault(TestIssuer.sign(weak, JWSAlgorithm.RS256, issuer.claims()))).isEqualTo(Fault.KEY);
        RSAKey signs = new RSAKey.Builder(encrypts).keyUse(null).build();
        assertThat(check.check(TestIssuer.sign(signs, JWSAlgorithm.RS256, issuer.claims())))
                .isNotInstanceOf(TokenVerdict.Valid.class);
    }

    @Test
    void aTokenOfAnotherKeyWithThisIdIsRefused() {
        issuer.rotated("k");
        ECKey thief = TestIssuer.ec(Curve.P_256, "k");

        assertThat(fault(TestIssuer.sign(thief, JWSAlgorithm.ES256, issuer.claims()))).isEqualTo(Fault.SIGNATURE);
    }

    @Test
    void timesCountWithinAMinute() {
        ECKey key = issuer.rotated("k");
        long now = NOW.getEpochSecond();

        assertThat(check.check(token(key, "exp", now - 59))).isInstanceOf(TokenVerdict.Valid.class);
        assertThat(fault(token(key, "exp", now - 60))).isEqualTo(Fault.EXPIRED);
        assertThat(check.check(token(key, "nbf", now + 60))).isInstanceOf(TokenVerdict.Valid.class);
        assertThat(fault(token(key, "nbf", now + 61))).isEqualTo(Fault.TOO_EARLY);
        assertThat(fault(token(key, "iat", now + 61))).isEqualTo(Fault.TOO_EARLY);
        assertThat(fault(token(key, "exp", null))).isEqualTo(Fault.CLAIM);
        for (Object odd : new Object[]{"soon", -1, 1e300, true, Map.of()}) {
            assertThat(fault(token(key, "exp", odd))).as("exp %s", odd).isEqualTo(Fault.CLAIM);
            assertThat(fault(token(key, "nbf", odd))).as("nbf %s", odd).isEqualTo(Fault.TOO_EARLY);
        }
        assertThat(check.check(token(key, "exp", now + 0.5))).isInstanceOf(TokenVerdict.Valid.class);
    }

    private String token(ECKey key, @Nullable Object... changes) {
        return TestIssuer.sign(key, JWSAlgorithm.ES256, issuer.claims(changes));
    }

    @Test
    void claimsThatAreMissingOrThatNobodyChecksAreRefused() {
        ECKey key = issuer.rotated("k");

        assertThat(fault(token(key, "sub", null))).isEqualTo(Fault.CLAIM);
        assertThat(fault(token(key, "sub", ""))).isEqualTo(Fault.CLAIM);
        assertThat(fault(token(key, "cnf", Map.of("jkt", "x")))).isEqualTo(Fault.CLAIM);
        assertThat(fault(token(key, "iss", "https://other.example"))).isEqualTo(Fault.ISSUER);
        assertThat(fault(token(key, "iss", null))).isEqualTo(Fault.ISSUER);
        assertThat(fault(token(key, "iss", issuer.issuer() + "/"))).isEqualTo(Fault.ISSUER);
    }

    @Test
    void tokensOfOtherKindsAreRefused() throws Exception {
        ECKey key = issuer.rotated("k");
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k");

        for (String type : new String[]{"at+jwt", "JWT", "application/at+jwt"})
            assertThat(check.check(TestIssuer.sign(header.type(new JOSEObjectType(type)).build(), key,
                    issuer.claims()))).isInstanceOf(TokenVerdict.Valid.class);
        assertThat(fault(TestIssuer.sign(header.type(new JOSEObjectType("logout+jwt")).build(), key, issuer.claims())))
                .isEqualTo(Fault.TYPE);
    }

    @Test
    void headersWithDemandsThatAreNotUnderstoodAreRefusedWithEachKindOfKey() throws Exception {
        ECKey key = issuer.rotated("k");
        TestIssuer.Edwards edwards = TestIssuer.Edwards.of("e");
        issuer.add(JWK.parse(edwards.jwk()));
        JWSHeader critical = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").criticalParams(Set.of("until"))
                .customParam("until", 0L).build();
        String raw = "{\"alg\":\"EdDSA\",\"kid\":\"e\",\"b64\":false,\"crit\":[\"b64\"]}";

        assertThat(fault(TestIssuer.sign(critical, key, issuer.claims()))).isEqualTo(Fault.TYPE);
        assertThat(fault(edwards.signed(raw, issuer.claims()))).isEqualTo(Fault.TYPE);
        assertThat(issuer.fetches()).isZero();
    }

    @Test
    void keysThatATokenBringsOrPointsToAreNotUsed() throws Exception {
        issuer.rotated("k");
        ECKey own = TestIssuer.ec(Curve.P_256, "k");
        try (TestIssuer foreign = new TestIssuer(NOW)) {
            foreign.add(own);
            JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").jwk(own.toPublicJWK())
                    .jwkURL(foreign.jwksUri()).x509CertURL(foreign.jwksUri()).build();

            assertThat(fault(TestIssuer.sign(header, own, issuer.claims()))).isEqualTo(Fault.SIGNATURE);
            assertThat(foreign.fetches()).isZero();
        }
    }

    @Test
    void textThatIsNoTokenIsRefusedWithoutAFetch() {
        String deep = "{\"alg\":\"ES256\",\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}";
        String twice = "{\"iss\":\"https://a\",\"iss\":\"" + issuer.issuer() + "\"}";
        for (String token : new String[]{"", ".", "..", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", "e30.e30.e30.e30.e30",
                "\u0000.\u0000.\u0000", "x".repeat(30_000), TestIssuer.unsigned(deep, "{}", "AA"),
                TestIssuer.unsigned("{\"alg\":\"ES256\"}", deep, "AA"), TestIssuer.unsigned("[]", "{}", "AA"),
                TestIssuer.unsigned("{\"alg\":\"ES256\"}", twice, "AA"),
                TestIssuer.unsigned("{\"alg\":\"ES256\",\"alg\":\"none\"}", "{}", "AA"),
                TestIssuer.unsigned("{\"alg\":7}", "{}", "AA"), TestIssuer.unsigned("{}", "{}", "AA")}) {
            assertThat(check.check(token)).as(token).isInstanceOf(TokenVerdict.Refused.class);
        }
        assertThat(issuer.fetches()).isZero();
    }

    @Test
    void aTokenWithoutKeyIdIsCheckedByTheOnlyKeyThatFits() {
        ECKey key = issuer.rotated("k");
        JWSHeader bare = new JWSHeader.Builder(JWSAlgorithm.ES256).build();

        assertThat(check.check(TestIssuer.sign(bare, key, issuer.claims()))).isInstanceOf(TokenVerdict.Valid.class);
    }
}
