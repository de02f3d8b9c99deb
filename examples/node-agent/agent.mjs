/**
 * Two conversations of agents whose model is a script. Usage: node agent.mjs HOST:PORT.
 *
 * `converse` is the loop of an agent runtime; a real one asks a model where this one asks `model`.
 */
import { randomUUID } from 'node:crypto'
import { Fleet } from './fleet.mjs'
import { builder, porter } from './models.mjs'

/** Plays one turn: asks the model, makes its calls, and goes on until it has nothing to call and nothing is pending. */
async function converse(fleet, agentName, instanceKey, model) {
  const turnId = `turn-${randomUUID()}`
  const messages = []
  const pending = new Set()
  for (let stepIndex = 1; ; stepIndex++) {
    const step = { instanceKey, agentName, turnId, stepId: `${turnId}-step-${stepIndex}`, stepIndex }
    const tools = await fleet.begin(step)
    const { text, calls = [] } = model(tools.map(tool => tool.name), messages)
    if (text) console.log(`${agentName}: ${text}`)

    // All calls of a step are sent at once; the fleet runs those of one instance in this order.
    const answers = await Promise.all(calls.map(call => fleet.call(step, call)))
    for (const { first, final } of answers) {
      messages.push(told(first))
      if (first.status === 'pending') remember(pending, final)
    }
    await fleet.end(step)

    if (calls.length > 0) continue
    if (pending.size === 0) return
    // The final result of a pending call is news for the model, and no second answer to its call.
    messages.push(told(await Promise.race(pending)))
  }
}

function remember(pending, final) {
  const news = final.then(result => {
    pending.delete(news)
    return result
  })
  pending.add(news)
}

/** A result as a message for the model. */
function told(result) {
  const { toolCallId: id, toolName: name, status, output, error } = result
  // What a pending result says differs from run to run.
  console.log(`  ${id} ${name} ${status}${status === 'pending' ? '' : ' ' + JSON.stringify(output ?? error.code)}`)
  return { id, name, status, output, error }
}

const fleet = await Fleet.open(process.argv[2])
try {
  await converse(fleet, 'porter', 'telegram:4711', porter)
  await converse(fleet, 'builder', 'telegram:4712', builder)
} finally {
  await fleet.close()
}
