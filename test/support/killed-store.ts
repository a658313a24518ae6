import type { Store } from '../../src/fiscal/ports/store.ts'

/** What work meets whose process has ended. */
export class Killed extends Error {}

/**
 * The same store until it was called so often: that call and all after it throw, as if the process had ended there.
 * @param after the call itself is done yet, and nobody hears of it: a transaction of its own is stored
 */
export function killedAt<S extends Store>(store: S, call: number, after: boolean): S {
  let calls = 0
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const value = Reflect.get(of, name) as unknown
        if (typeof value === 'object' && value !== null) return wrap(value)
        if (typeof value !== 'function' || name === 'locks') return value
        return async (...given: unknown[]) => {
          const number = ++calls
          if (number > call || (number === call && !after)) throw new Killed(String(name))
          const work = given[0] as (tx: object) => unknown
          const done: unknown = await Reflect.apply(
            value,
            of,
            name === 'transaction' ? [(tx: object) => work(wrap(tx))] : given,
          )
          if (number === call) throw new Killed(String(name))
          return done
        }
      },
    })
  return wrap(store)
}
