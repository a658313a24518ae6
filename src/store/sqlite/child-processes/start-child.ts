import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { attempt } from '../../../domain/attempt.ts'
import type { Answer } from './answer-parent.ts'
import type { checkDatabase } from './check-database.ts'
import type { copyDatabase } from './copy-database.ts'
import type { findContradictions } from './find-contradictions.ts'
import type { keepCheckpointed } from './keep-checkpointed.ts'

/** The programs of this folder, each an entry of the bundle: see scripts/bundle.ts. */
interface Programs {
  'check-database': typeof checkDatabase
  'copy-database': typeof copyDatabase
  'find-contradictions': typeof findContradictions
  'keep-checkpointed': typeof keepCheckpointed
}

type Task<Name extends keyof Programs> = Parameters<Programs[Name]>[0]
type Result<Name extends keyof Programs> = Awaited<ReturnType<Programs[Name]>>

export interface Child<T> {
  /** The result of the program; undefined when it was stopped. Rejects with the `code` of the error it threw. */
  result: Promise<T | undefined>
  stop(): Promise<void>
}

/** A lower priority than all work for a sale. */
const NICENESS = 10

/** A process of its own: a thread could not be stopped inside SQLite, and would keep the daemon from ending. */
export function startChild<Name extends keyof Programs>(name: Name, task: Task<Name>): Child<Result<Name>> {
  const child = spawn(process.execPath, argumentsOf(name), { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  child.unref()
  const { pid } = child
  // The sandbox of fiskd.service refuses it (`SystemCallFilter=~@resources`): it then runs at normal priority.
  if (pid !== undefined) attempt(() => setPriority(pid, NICENESS), undefined)
  // `result` reports the end of the process.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(task))
  let isStopped = false
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))

  async function result(): Promise<Result<Name> | undefined> {
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    const written = await Promise.race([text(child.stdout), failed])
    if (isStopped) return undefined
    if (written === '') throw new Error('the process that reads the database ended without a word')
    const answer: Answer<Result<Name>> = JSON.parse(written)
    if ('result' in answer) return answer.result
    throw Object.assign(new Error(answer.thrown.message), { code: answer.thrown.code })
  }

  return {
    result: result(),
    async stop() {
      isStopped = true
      // From now on the caller waits for the end of the process.
      child.ref()
      child.kill('SIGKILL')
      await ended
    },
  }
}

function argumentsOf(name: keyof Programs): string[] {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
  if (!import.meta.url.endsWith('.ts')) return [path(`../store/${name}.js`)]
  // Tests build the sources once: a bundle starts in half the time.
  const { FISKD_TEST_BUNDLE: bundle } = process.env
  if (bundle) return [join(bundle, `store/${name}.js`)]
  return ['--import', createRequire(import.meta.url).resolve('tsx'), path(`${name}.ts`)]
}
