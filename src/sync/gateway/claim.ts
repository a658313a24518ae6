import { type PremisesAuthority, premisesKey } from '../../fiscal/ports/gateways.ts'
import { decodePlace } from '../wire/numbers.ts'
import { NotEnrolled } from './connection.ts'
import { SyncFailure } from './failure.ts'
import { askNumbers, type HandshakeDeps, keepNumbers } from './handshake.ts'

export interface ClaimDeps extends HandshakeDeps {
  /** The server could not be asked: it is to hear of all premises before anything else. */
  onNotAsked: () => void
  /** How long a server is waited for, milliseconds. */
  patienceMs?: number
}

/** Short, because a user waits for the answer. */
const PATIENCE_MS = 3000

/** Asks the server of the enrolment about premises; a gateway without an enrolment may use any premises. */
export function createPremisesAuthority(deps: ClaimDeps): PremisesAuthority {
  const { store, log, onNotAsked, patienceMs = PATIENCE_MS } = deps
  return {
    async claim(tenantId, premises) {
      const enrolment = await store.enrolment.get()
      if (!enrolment?.gatewayId || enrolment.tenantId !== tenantId) return new Map()
      let said: Awaited<ReturnType<typeof askNumbers>>
      try {
        said = await askNumbers(deps, enrolment, premises, AbortSignal.timeout(patienceMs))
      } catch (error) {
        if (error instanceof NotEnrolled) return new Map()
        const facts = error instanceof SyncFailure ? { code: error.code } : { err: error }
        log.warn(
          { ...facts, premises: premises.length },
          'the central server could not be asked about premises that are new here; if somebody has sold there before, ' +
            'numbers may be given out twice until it is reached',
        )
        onNotAsked()
        return null
      }
      await store.transaction(async (tx) => {
        const found = await tx.enrolment.get()
        if (found?.gatewayId === enrolment.gatewayId) await keepNumbers(deps, tx, found, said)
      })
      const asked = new Set(premises.map(premisesKey))
      const taken = said.answer.taken.map((one) => decodePlace(one))
      return new Map(taken.filter((one) => asked.has(premisesKey(one))).map((one) => [one.premisesCode, one.message]))
    },
  }
}
