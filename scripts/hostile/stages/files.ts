import { makeList } from '../../../test/support/revocation-lists.ts'
import { ask, JSON_TYPE } from '../../chaos/http.ts'
import { changedBytes, changedCsv, endless } from '../changes.ts'
import { formOf, type Stage, times } from '../stage.ts'

/** PKCS#12 files made from the attacker's own; who sends them has a key for the fleet. */
export const pkcs12: Stage = {
  name: 'PKCS#12 files',
  share: 0.03,
  async run({ world: { gateway, hostile }, seed, send }, count) {
    const files = endless(changedBytes(hostile.p12), seed)
    const upload = async () => {
      const parts = { company_id: hostile.shop.companyId, passphrase: hostile.passphrase, file: files.next().value }
      const { headers, body } = await formOf(parts)
      const authorization = `Bearer ${hostile.fleetKey}`
      await send(gateway, {
        method: 'POST',
        path: '/v1/certificates',
        headers: { ...headers, authorization },
        body: body ?? '',
      })
    }
    await times(count, upload)
  },
}

/** Lists of machines made from a valid one. */
export const csv: Stage = {
  name: 'lists of machines (CSV)',
  share: 0.04,
  async run({ world: { gateway, hostile }, seed, send }, count) {
    const table = [
      ['label', 'premises_code', 'isu_number', 'premises_address'],
      ['Kavomat 901', 'POSL1', '901', 'Ilica 1, Zagreb'],
      ['Kavomat 902', 'POSL1', '902', ''],
    ]
    const files = endless(changedCsv(table), seed)
    await times(count, async () => {
      const { headers, body } = await formOf({ company_id: hostile.shop.companyId, file: files.next().value })
      const authorization = `Bearer ${hostile.fleetKey}`
      await send(gateway, {
        method: 'POST',
        path: '/v1/devices/import',
        headers: { ...headers, authorization },
        body: body ?? '',
      })
    })
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
    const admin = { socketPath: `${gateway.mortal.dataDir}/fiskd.sock` }
    await times(
      count,
      async () => {
        const body = JSON.stringify({ mode: 'test', certificates: files.next().value.toString('base64') })
        const answer = await ask(admin, { method: 'POST', path: '/admin/trust', headers: JSON_TYPE, body })
        if (answer === null || answer.status >= 500)
          throw new Error(`a revocation list: ${answer?.text ?? 'no answer'}`)
        sent(1)
      },
      2,
    )
  },
}
