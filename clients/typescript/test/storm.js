// Makes the calls of ../../conformance/storm.js with several clients, each of which begins at another gateway and call.
import { Toolfleet } from "@toolfleet/client";

const urls = process.env.TOOLFLEET_URLS.split(",");
const calls = JSON.parse(process.env.CALLS);
const count = Number(process.env.CLIENTS);

function rotated(list, by) {
  return list.map((_, i) => list[(i + by) % list.length]);
}

async function client(number) {
  const fleet = new Toolfleet({ url: rotated(urls, number), retryFor: 180_000 });
  const open = rotated(calls, number * Math.floor(calls.length / count));
  const work = async () => {
    for (let each = open.shift(); each !== undefined; each = open.shift()) {
      const { instance, key, args } = each;
      const call = await fleet.agent(instance, "clerk").call("press__stamp", args, { idempotencyKey: key });
      const { status, error, output } = await call.final();
      console.log(JSON.stringify({ client: `typescript ${number}`, key, status, code: error?.code, output }));
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
}

await Promise.all(Array.from({ length: count }, (_, number) => client(number)));
