// An issue tracker with an authorization server of its own, on loopback: RFC 6749 with PKCE, refresh and revocation. Its
// sign-in page is one button. Prints "tracker URL" once it listens.
//
//   TRACKER_CLIENT_ID=… TRACKER_CLIENT_SECRET=… node tracker.mjs 7099
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const client = `${process.env.TRACKER_CLIENT_ID}:${process.env.TRACKER_CLIENT_SECRET}`;
const codes = new Map();
const access = new Map();
const refresh = new Map();
const issues = [];

const random = (kind) => `${kind}_${randomBytes(24).toString("base64url")}`;
const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

async function body(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function json(response, status, value) {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(value));
}

/** The page on which a person signs in. A script sends `login` with the first request. */
function authorize(query, response) {
  if (query.get("response_type") !== "code" || query.get("code_challenge_method") !== "S256") {
    json(response, 400, { error: "invalid_request" });
    return;
  }
  const login = query.get("login");
  if (login === null) {
    const fields = [...query].map(([name, value]) =>
      `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`).join("");
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><title>Tracker</title><form action="/authorize">${fields}
      <h1>Allow ${escape(query.get("client_id") ?? "")} to ${escape(query.get("scope") ?? "")}?</h1>
      <label>You are <input name="login" value="ann"></label> <button>Allow</button></form>`);
    return;
  }
  const code = random("code");
  codes.set(code, { login, challenge: query.get("code_challenge"), redirect: query.get("redirect_uri") });
  const back = new URL(query.get("redirect_uri"));
  back.search = new URLSearchParams({ code, state: query.get("state"), iss: issuer }).toString();
  response.writeHead(302, { Location: back.toString() });
  response.end();
}

function tokens(response, login) {
  const token = random("access");
  const next = random("refresh");
  access.set(token, login);
  refresh.set(next, login);
  json(response, 200, { access_token: token, token_type: "bearer", expires_in: 3600, refresh_token: next,
    scope: "issues:write" });
}

function token(request, form, response) {
  const [, given] = (request.headers.authorization ?? "").split(" ");
  if (Buffer.from(given ?? "", "base64").toString() !== client) {
    json(response, 401, { error: "invalid_client" });
  } else if (form.get("grant_type") === "authorization_code") {
    const code = codes.get(form.get("code"));
    codes.delete(form.get("code"));
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
    if (code === undefined || code.redirect !== form.get("redirect_uri") || code.challenge !== challenge)
      json(response, 400, { error: "invalid_grant" });
    else tokens(response, code.login);
  } else if (form.get("grant_type") === "refresh_token") {
    const login = refresh.get(form.get("refresh_token"));
    refresh.delete(form.get("refresh_token"));
    if (login === undefined) json(response, 400, { error: "invalid_grant" });
    else tokens(response, login);
  } else {
    json(response, 400, { error: "unsupported_grant_type" });
  }
}

createServer(async (request, response) => {
  const url = new URL(request.url, issuer);
  const text = request.method === "POST" ? await body(request) : "";
  const login = access.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  if (url.pathname === "/authorize") {
    authorize(url.searchParams, response);
  } else if (url.pathname === "/token") {
    token(request, new URLSearchParams(text), response);
  } else if (url.pathname === "/revoke") {
    refresh.delete(new URLSearchParams(text).get("token"));
    json(response, 200, {});
  } else if (login === undefined) {
    json(response, 401, { error: "invalid_token" });
  } else if (url.pathname === "/me") {
    json(response, 200, { sub: login });
  } else if (url.pathname === "/issues" && request.method === "POST") {
    issues.push({ title: JSON.parse(text).title, by: login });
    json(response, 200, { number: issues.length, ...issues.at(-1) });
  } else {
    json(response, 404, { error: "not_found" });
  }
}).listen(port, "127.0.0.1", () => console.log(`tracker ${issuer}`));
