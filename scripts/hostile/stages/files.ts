import { makeList } from '../../../test/support/revocation-lists.ts'
import { ask, JSON_TYPE } from '../../chaos/http.ts'
import { changedBytes, changedCsv, endless } from '../changes.ts'
import { type Attack, formOf, type Stage, times } from '../stage.ts'

/** Sends a file with the attacker's key for the fleet. */
async function upload({ world: { gateway, hostile }, send }: Attack, path: string, file: Buffer, more = {}) {
  const { headers, body } = await formOf({ company_id: hostile.shop.companyId, ...more, file })
  const authorization = `Bearer ${hostile.fleetKey}`
  await send(gateway, { method: 'POST', path, headers: { ...headers, authorization }, body: body ?? '' })
}

/** PKCS#12 files made from the attacker's own. */
export const pkcs12: Stage = {
  name: 'PKCS#12 files',
  share: 0.03,
  async run(attack, count) {
    const { p12, passphrase } = attack.world.hostile
    const files = endless(changedBytes(p12), attack.seed)
    await times(count, () => upload(attack, '/v1/certificates', files.next().value, { passphrase }))
  },
}

/** Lists of machines made from a valid one. */
export const csv: Stage = {
  name: 'lists of machines (CSV)',
  share: 0.04,
  async run(attack, count) {
    const table = [
      ['label', 'premises_code', 'isu_number', 'premises_address'],
      ['Kavomat 901', 'POSL1', '901', 'Ilica 1, Zagreb'],
      ['Kavomat 902', 'POSL1', '902', ''],
    ]
    const files = endless(changedCsv(table), attack.seed)
    await times(count, () => upload(attack, '/v1/devices/import', files.next().value))
  },
}

/** Revocation lists made from one that the authority's CA has signed; an operator adds them. */
export const crl: Stage = {
  name: 'revocation lists',
  share: 0.02,
  async run({ world: { gateway, authority }, seed, sent }, count) {
    const entries = Array.from({ length: 20 }, (_, i) => ({ serial: Buffer.from([i + 1, 7]), at: new Date() }))
    const list = makeList({ by: authority.issuing, entries })
    const files = endless(changedBytes(list), seed)
    const admin = { socketPath: gateway.mortal.socketPath }
    await times(
      count,
      async () => {
        const certificates = files.next().value.toString('base64')
        const body = JSON.stringify({ mode: 'test', for: 'uploads', certificates })
        const answer = await ask(admin, { method: 'POST', path: '/admin/trust', headers: JSON_TYPE, body })
        if (answer === null || answer.status >= 500)
          throw new Error(`a revocation list: ${answer?.text ?? 'no answer'}`)
        sent(1)
      },
      2,
    )
  },
}
