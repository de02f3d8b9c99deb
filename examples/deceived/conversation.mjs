// An agent runtime: it plays the turns of one agent with a model that can be deceived.
import { Model } from "./model.mjs";

let turns = 0;

export class Conversation {
  #model = new Model();
  #steps = 0;
  #calls = 0;

  /**
   * @param rejects whether a person rejects each call that waits for one; otherwise it waits for good
   * @param onResult is called with the name of the tool and each first result
   */
  constructor(fleet, instanceKey, agent, rejects, onResult) {
    Object.assign(this, { fleet, instanceKey, agent, rejects, onResult });
  }

  /** Plays one turn: the model reads, and calls until it has nothing left to do. */
  async turn(input) {
    const turnId = `turn-${++turns}`;
    this.#model.read(input);
    for (;;) {
      const stepId = `step-${++this.#steps}`;
      const tools = await this.fleet.step(this.instanceKey, this.agent, turnId, stepId);
      this.#model.read(tools.map((tool) => tool.description));
      const call = this.#model.next();
      if (call === undefined) return;
      const id = `call-${++this.#calls}`;
      let result = await this.fleet.call(this.instanceKey, this.agent, { turnId, stepId, id, ...call });
      this.onResult(call.name, result);
      if (result.status === "pending") {
        if (!this.rejects) continue;
        result = await this.fleet.reject(result);
      }
      if (call.name === "vault__record" && result.status === "ok") this.#model.remember(result.output.record);
      this.#model.read(result.output ?? result.error);
    }
  }
}
