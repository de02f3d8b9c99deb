/** Models that are scripts: from the tools of a step and what was answered so far to a text or calls. */

export function porter(tools, messages) {
  const last = messages.at(-1)
  if (messages.length === 0) {
    return {
      text: `I have ${tools.join(', ')}.`,
      calls: [
        { id: 'call_0', name: 'hello__sign', args: { name: ' Ada ' } },
        { id: 'call_1', name: 'hello__guests', args: {} },
        { id: 'call_2', name: 'hello__sign', args: { name: '  ' } }
      ]
    }
  }
  // The message of an error is written for the model. Ids come again in the next step, as those of real models do.
  if (last.status === 'error') {
    return { text: 'A name was blank.', calls: [{ id: 'call_0', name: 'hello__sign', args: { name: 'Grace' } }] }
  }
  return { text: `The guests are ${last.output.guests.join(' and ')}.` }
}

export function builder(tools, messages) {
  const last = messages.at(-1)
  if (last === undefined) {
    return {
      text: `I have ${tools.join(', ')}.`,
      calls: [{ id: 'call_0', name: 'build__start', args: { branch: 'main' } }]
    }
  }
  if (last.status === 'pending') return { text: 'The build has begun.' }
  return { text: `The build has made ${last.output.artifact}.` }
}
