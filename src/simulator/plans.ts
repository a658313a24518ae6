import { type CisError, cisError, restrictiveError } from './errors.ts'
import { FORGERIES, type Forgery, HEARSAYS, type Hearsay, type Misbehaviour, type Wrapping } from './misbehaviours.ts'

/** @param mood called for every request when the queue is empty and `always` is not set */
export function createPlans(mood: () => Misbehaviour | null = () => null) {
  const queue: Misbehaviour[] = []
  let constant: Misbehaviour | null = null
  return {
    add: (list: readonly Misbehaviour[]) => void queue.push(...list),
    always: (behaviour: Misbehaviour | null) => {
      constant = behaviour
    },
    /** Takes the misbehaviour for the next `racuni` request. */
    next: () => queue.shift() ?? constant ?? mood(),
    standing: () => constant,
  }
}

/** The error that a misbehaviour makes the service answer; null if none. */
export function imposedError(behaviour: Misbehaviour | null): CisError | null {
  if (behaviour === 's006') return cisError('s006')
  if (behaviour === 's013') return restrictiveError([179])
  if (typeof behaviour !== 'object' || behaviour === null || !('error' in behaviour)) return null
  const { error, codes, message } = behaviour
  const usual = error === 's013' ? restrictiveError(codes ?? [179]) : cisError(error)
  return message === undefined ? usual : { code: error, message }
}

/** The untrustworthy answer without a JIR that a misbehaviour selects; null if none. */
export function hearsayOf(behaviour: Misbehaviour | null): Hearsay | null {
  return HEARSAYS.find((name) => name === behaviour) ?? null
}

/** The forgery that a misbehaviour selects; null when the answer is genuine. */
export function forgeryOf(behaviour: Misbehaviour | null): Forgery | { wrapped: Wrapping } | null {
  if (typeof behaviour === 'object' && behaviour !== null) return 'wrapped' in behaviour ? behaviour : null
  return FORGERIES.find((name) => name === behaviour) ?? null
}
