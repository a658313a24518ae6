import { type CisError, cisError, restrictiveError } from './errors.ts'
import { FORGERIES, type Forgery, HEARSAYS, type Hearsay, type Misbehaviour, type Wrapping } from './misbehaviours.ts'

/** The misbehaviours to come. */
export interface Plans {
  /** Queued, one per `racuni` request, first in first out. */
  add(list: readonly Misbehaviour[]): void
  /** For every request that finds the queue empty; null ends it. */
  always(behaviour: Misbehaviour | null): void
  /** Takes what the next `racuni` request gets. */
  next(): Misbehaviour | null
  /** What stands for all requests, without taking anything. */
  standing(): Misbehaviour | null
}

/** @param mood asked for every request that finds the queue empty and nothing standing */
export function createPlans(mood: () => Misbehaviour | null = () => null): Plans {
  const queue: Misbehaviour[] = []
  let constant: Misbehaviour | null = null
  return {
    add: (list) => void queue.push(...list),
    always: (behaviour) => {
      constant = behaviour
    },
    next: () => queue.shift() ?? constant ?? mood(),
    standing: () => constant,
  }
}

/** The error a misbehaviour makes the service answer, null when it does not. */
export function imposedError(behaviour: Misbehaviour | null): CisError | null {
  if (behaviour === 's006') return cisError('s006')
  if (behaviour === 's013') return restrictiveError([179])
  if (typeof behaviour !== 'object' || behaviour === null || !('error' in behaviour)) return null
  const { error, codes, message } = behaviour
  const usual = error === 's013' ? restrictiveError(codes ?? [179]) : cisError(error)
  return message === undefined ? usual : { code: error, message }
}

/** How the answer is no answer, null when it is one. */
export function hearsayOf(behaviour: Misbehaviour | null): Hearsay | null {
  return HEARSAYS.find((name) => name === behaviour) ?? null
}

/** How the answer is forged, null when it is genuine. */
export function forgeryOf(behaviour: Misbehaviour | null): Forgery | { wrapped: Wrapping } | null {
  if (typeof behaviour === 'object' && behaviour !== null) return 'wrapped' in behaviour ? behaviour : null
  return FORGERIES.find((name) => name === behaviour) ?? null
}
