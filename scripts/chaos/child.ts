import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Scratch } from './scratch.ts'

/** A script of ours in a process of its own, which does what it is told, one answer for each order. */
export interface Child {
  pid: number
  /** @throws Error when it ended instead */
  order<T = void>(name: string, argument?: unknown): Promise<T>
  kill(): void
}

interface Order {
  id: number
  name: string
  argument?: unknown
}

interface Reply {
  id: number
  result: unknown
}

/** How a child gets its settings. */
const SETTINGS_VARIABLE = 'CHILD_SETTINGS'

/** Starts it; it ends with the scratch folder. @param env more variables for it */
export function startChild(script: URL, settings: unknown, scratch: Scratch, env: Record<string, string> = {}): Child {
  const child: ChildProcess = fork(fileURLToPath(script), {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, [SETTINGS_VARIABLE]: JSON.stringify(settings), ...env },
  })
  scratch.atTheEnd(() => void child.kill('SIGKILL'))
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let orders = 0
  child.on('message', ({ id, result }: Reply) => {
    waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${script.pathname} ended`))
  })
  return {
    pid: child.pid ?? 0,
    order: <T>(name: string, argument?: unknown): Promise<T> =>
      new Promise((resolve, reject) => {
        const id = orders++
        waiting.set(id, { resolve: (result) => resolve(result as T), reject })
        child.send({ id, name, argument } satisfies Order)
      }),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** The child's side: what it was started with. */
export const settingsOfChild = <T>(): T => JSON.parse(process.env[SETTINGS_VARIABLE] ?? '')

/** The child's side: obeys until whoever started it is gone. */
export function obey(orders: Record<string, (argument: never) => unknown>): void {
  process.on('message', async ({ id, name, argument }: Order) => {
    const reply: Reply = { id, result: (await orders[name]?.(argument as never)) ?? null }
    process.send?.(reply)
  })
  process.on('disconnect', () => process.exit())
}
