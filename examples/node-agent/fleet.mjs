/**
 * The fleet as an agent runtime sees it: steps and calls go out, catalogs and results come in.
 *
 * A runtime opens one Fleet for all of its conversations. Needs kafkajs, whose default partitioner places keys by
 * murmur2; any other will do that sends one instance's steps and calls to one partition.
 */
import { randomUUID } from 'node:crypto'
import kafkajs from 'kafkajs'
import lz4 from 'lz4js'

const { CompressionCodecs, CompressionTypes, Kafka, Partitioners, logLevel } = kafkajs

// The catalog service compresses its records with LZ4, which kafkajs does not bring.
CompressionCodecs[CompressionTypes.LZ4] = () => ({
  compress: async encoder => Buffer.from(lz4.compress(encoder.buffer)),
  decompress: async buffer => Buffer.from(lz4.decompress(buffer))
})

const ANSWERS = ['tool.catalog.step', 'tool.catalog.content', 'tool.result']
const CATALOG_WAIT_MS = 30_000
const RESULT_WAIT_MS = 60_000

export class Fleet {
  #producer
  #consumer
  /** Promises of records, by what names them; made by whoever comes first, the record or its reader. */
  #contents = new Map()
  #steps = new Map()
  /** Open calls by identity: `first` and `final` are promises of results. */
  #calls = new Map()

  static async open(bootstrap) {
    const kafka = new Kafka({ clientId: 'node-agent', brokers: [bootstrap], logLevel: logLevel.ERROR })
    const fleet = new Fleet()
    fleet.#producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner })
    // Results must not be shared out among members, so each process is the only member of a group of its own, which
    // ends with it: it commits no offsets. read_committed: a result counts once its transaction is committed.
    const groupId = `node-agent-${randomUUID()}`
    fleet.#consumer = kafka.consumer({ groupId, readUncommitted: false, maxWaitTimeInMs: 200 })
    await Promise.all([fleet.#producer.connect(), fleet.#consumer.connect()])
    await fleet.#listen(kafka.admin())
    return fleet
  }

  /** Reads what is written from now on, but contents from their beginning. A restart would go on at stored offsets. */
  async #listen(admin) {
    await admin.connect()
    const positions = await Promise.all(ANSWERS.map(topic => admin.fetchTopicOffsets(topic)))
    await admin.disconnect()
    await this.#consumer.subscribe({ topics: ANSWERS })
    await this.#consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, message }) => {
        // A record without a value ends what its key names.
        if (message.value !== null) this.#hear(topic, String(message.key), JSON.parse(message.value))
      }
    })
    ANSWERS.forEach((topic, index) =>
      positions[index].forEach(({ partition, high, low }) =>
        this.#consumer.seek({ topic, partition, offset: topic === 'tool.catalog.content' ? low : high })))
  }

  #hear(topic, key, record) {
    if (topic === 'tool.catalog.content') {
      promised(this.#contents, key).resolve(record)
    } else if (topic === 'tool.catalog.step') {
      this.#steps.get(identity(record))?.resolve(record)
    } else {
      this.#result(record)
    }
  }

  /** The first result of a call may be pending; the one with another status is final. Results of others pass by. */
  #result(result) {
    const name = identity(result, result.toolCallId)
    const call = this.#calls.get(name)
    if (call === undefined) return
    call.first.resolve(result)
    if (result.status === 'ok' || result.status === 'error') {
      call.final.resolve(result)
      this.#calls.delete(name)
    }
  }

  /** Announces a step of a model and returns the tools that the model may see. */
  async begin(step) {
    const catalog = promised(this.#steps, identity(step))
    await this.#send('agent.step', { type: 'started', ...step })
    const { digest } = await within(CATALOG_WAIT_MS, catalog.promise, `no catalog of step ${step.stepId}`)
    this.#steps.delete(identity(step))
    return within(CATALOG_WAIT_MS, promised(this.#contents, digest).promise, `no content ${digest}`)
  }

  /** Says that a step is over. Its calls are still answered. */
  end(step) {
    return this.#send('agent.step', { type: 'ended', ...step })
  }

  /**
   * Makes a call of a step and returns its first result. `final` is a promise of the final one: the same, unless the
   * first is pending.
   */
  async call(step, call) {
    const open = { first: deferred(), final: deferred() }
    // Registered before it is sent: the result may be here before the broker's answer is.
    this.#calls.set(identity(step, call.id), open)
    await this.#send('tool.call', { ...call, ...step })
    const first = await within(RESULT_WAIT_MS, open.first.promise, `no result of call ${call.id}`)
    return { first, final: within(RESULT_WAIT_MS, open.final.promise, `no final result of call ${call.id}`) }
  }

  #send(topic, record) {
    return this.#producer.send({ topic, messages: [{ key: record.instanceKey, value: JSON.stringify(record) }] })
  }

  async close() {
    await Promise.all([this.#producer.disconnect(), this.#consumer.disconnect()])
  }
}

/** Names a step, or a call of one: models use the ids of their calls again, in every step. */
function identity({ instanceKey, agentName, turnId, stepId }, callId) {
  return JSON.stringify([instanceKey, agentName, turnId ?? null, stepId, callId ?? null])
}

function promised(promises, name) {
  if (!promises.has(name)) promises.set(name, deferred())
  return promises.get(name)
}

function deferred() {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}

function within(milliseconds, promise, message) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
