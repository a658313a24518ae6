import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

export interface Aside<T> {
  /** What the script returned; undefined when it was stopped before. Rejects with the code of what it has thrown. */
  said: Promise<T | undefined>
  /** Breaks it off. */
  stop(): Promise<void>
}

type Answer<T> = { said: T } | { thrown: { message: string; code: string | undefined } }

/**
 * Runs a script beside the event loop, for what reads a whole database while sales go on. It is JavaScript in words, for
 * a thread reads no TypeScript when the tests run from the sources: the body of an async function of `Database` and
 * `data`.
 */
export function runAside<T>(script: string, data: Record<string, unknown>): Aside<T> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const worker = new Worker(inThread(script), { eval: true, workerData: { driver, data } })
  worker.unref()
  const said = new Promise<T | undefined>((resolve, reject) => {
    worker.once('message', (answer: Answer<T>) => {
      if ('said' in answer) return resolve(answer.said)
      reject(Object.assign(new Error(answer.thrown.message), { code: answer.thrown.code }))
    })
    worker.once('error', reject)
    worker.once('exit', () => resolve(undefined))
  })
  return {
    said,
    async stop() {
      await worker.terminate()
    },
  }
}

/** An error of SQLite's loses its message on the way between threads: it is told in words. */
const inThread = (script: string) => `
  const { parentPort, workerData } = require('node:worker_threads')
  const run = async (Database, data) => {
    ${script}
  }
  run(require(workerData.driver), workerData.data).then(
    (said) => parentPort.postMessage({ said }),
    ({ message, code }) => parentPort.postMessage({ thrown: { message, code } }),
  )
`
