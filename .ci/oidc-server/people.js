// Authorization server on loopback for people: authorization code with PKCE, refresh tokens that rotate, revocation,
// userinfo. Its sign-in pages take any name.
// Usage: node people.js PORT REDIRECT   (0 for a free port; prints "issuer URL" once it listens)
import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import { Provider } from "oidc-provider";

const [port, redirect] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const server = createServer();
server.listen(Number(port), "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "toolfleet",
      client_secret: "secret-of-the-test",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: [redirect],
      id_token_signed_response_alg: "ES256",
    }],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "k1", use: "sig", alg: "ES256" }] },
    scopes: ["openid", "offline_access"],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    cookies: { keys: ["a key of a test"] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
  });
  server.on("request", provider.callback());
  console.log(`issuer ${issuer}`);
});
