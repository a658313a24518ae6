import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { RouteOptions } from 'fastify'

/** What the reference is made of; it crosses to the thread as JSON. */
export interface AboutRoutes {
  routes: Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>[]
  version: string
  docsUrl: string
}

export interface Asked {
  url: string
  headers: { [name: string]: string }
  port: MessagePort
}

interface Answer {
  status: number
  headers: NodeJS.Dict<number | string | string[]>
  body: Uint8Array
}

export type Reference = ReturnType<typeof startReference>

/** The document and its pages, in a thread of their own: to make them takes longer than a sale may wait. */
export function startReference(about: AboutRoutes) {
  const worker = new Worker(PROGRAM, { workerData: JSON.stringify(about), execArgv: ARGUMENTS })
  worker.unref()
  const ended = new AbortController()
  worker.once('error', (cause) => ended.abort(cause)).once('exit', () => ended.abort())
  return {
    hasEnded: () => ended.signal.aborted,
    /** @throws Error when the thread has ended */
    async ask(url: string, headers: Asked['headers']): Promise<Answer> {
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ url, headers, port: port2 } satisfies Asked, [port2])
      const [answer] = await once(port1, 'message', { signal: ended.signal }).finally(() => port1.close())
      return answer
    },
    close: () => worker.terminate(),
  }
}

/** An entry of the bundle (scripts/bundle.ts). Tests build the sources once. */
const { FISKD_TEST_BUNDLE: bundle } = process.env
const isSource = import.meta.url.endsWith('.ts')
const PROGRAM = bundle
  ? join(bundle, 'api/reference-worker.js')
  : new URL(isSource ? 'reference-worker.ts' : '../api/reference-worker.js', import.meta.url)
const ARGUMENTS = isSource && !bundle ? ['--import', createRequire(import.meta.url).resolve('tsx')] : []
