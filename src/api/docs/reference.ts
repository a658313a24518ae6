import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RouteOptions } from 'fastify'

/** What the reference is made of; it crosses to the thread as JSON. */
export interface AboutRoutes {
  routes: Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>[]
  version: string
  docsUrl: string
}

type Headers = NodeJS.Dict<number | string | string[]>

export interface Asked {
  id: number
  url: string
  headers: { [name: string]: string }
}

export type Given = { id: number } & ({ status: number; headers: Headers; body: string | Uint8Array } | { why: string })
type Answer = Exclude<Given, { why: string }>

export interface Reference {
  /** @throws Error when the thread has failed */
  ask(url: string, headers: Asked['headers']): Promise<Answer>
  close(): Promise<void>
}

/** Nobody reads any more: its memory is for sales again. */
const IDLE_MS = 300_000

/** The document and its pages, in a thread of their own: to make them takes longer than a sale may wait. */
export function startReference(about: AboutRoutes, onEnd: () => void): Reference {
  const worker = new Worker(PROGRAM, { workerData: JSON.stringify(about), execArgv: ARGUMENTS, env: {} })
  worker.unref()
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let asked = 0
  const idle = setTimeout(() => worker.terminate(), IDLE_MS).unref()
  worker.on('message', (given: Given) => {
    const { resolve, reject } = waiting.get(given.id) ?? {}
    waiting.delete(given.id)
    if ('why' in given) reject?.(new Error(given.why))
    else resolve?.(given)
  })
  const end = (error?: Error) => {
    onEnd()
    clearTimeout(idle)
    for (const { reject } of waiting.values()) reject(error ?? new Error('the thread of the reference has ended'))
    waiting.clear()
  }
  worker.once('error', end).once('exit', () => end())
  return {
    ask(url, headers) {
      const answer = Promise.withResolvers<Answer>()
      waiting.set(++asked, answer)
      idle.refresh()
      worker.postMessage({ id: asked, url, headers } satisfies Asked)
      return answer.promise
    },
    async close() {
      await worker.terminate()
    },
  }
}

const { FISKD_TEST_BUNDLE: BUNDLE } = process.env
const IS_SOURCE = import.meta.url.endsWith('.ts')
/** An entry of the bundle (scripts/bundle.ts). Tests build the sources once. */
const PROGRAM = !IS_SOURCE
  ? new URL('../api/reference-worker.js', import.meta.url)
  : BUNDLE
    ? join(BUNDLE, 'api/reference-worker.js')
    : new URL('reference-worker.ts', import.meta.url)
const ARGUMENTS = IS_SOURCE && !BUNDLE ? ['--import', createRequire(import.meta.url).resolve('tsx')] : []
