import { Toolfleet } from "@toolfleet/client";

const fleet = new Toolfleet(process.env.TOOLFLEET_URL ?? "http://127.0.0.1:7072");
const step = await fleet.agent(process.env.RUN ?? "office-1", "clerk").step({ turnId: "t1", stepId: "example" });
const stamp = await step.call("press__stamp", { word: "hello" }, { id: "call_1" });
console.log(stamp.result.output); // { ran: 1, words: [ 'hello' ] }
const order = await step.call("press__print", { pages: 3 }, { id: "call_2" });
console.log(order.result.status); // pending
await fleet.complete(order.result.handle, { kind: "completed", output: { copies: 3 } });
console.log(await order.output()); // { copies: 3 }
