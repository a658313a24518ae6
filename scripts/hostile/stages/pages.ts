import fc from 'fast-check'
import { JSON_TYPE } from '../../chaos/http.ts'
import { changedBytes, encoded, endless } from '../changes.ts'
import { type Stage, times } from '../stage.ts'

const ADMIN = { name: 'ana@example.hr', password: 'dovoljno duga lozinka' }

/** Cookies made from that of somebody who is signed in, on the pages of both daemons; and the pages themselves. */
export const pages: Stage = {
  name: 'cookies and pages',
  share: 0.1,
  async run({ world: { gateway, server }, seed, send }, count) {
    for (const daemon of [gateway, server]) {
      // From the second time on it is there.
      await daemon.mortal.admin('POST', '/admin/users', { ...ADMIN, role: 'admin', language: 'en' }).catch(() => {})
      const signedIn = await send(daemon, {
        method: 'POST',
        path: '/dashboard/session',
        headers: JSON_TYPE,
        body: JSON.stringify(ADMIN),
      })
      const cookie = String(signedIn?.headers['set-cookie']?.[0]?.split(';')[0])
      const cookies = endless(changedBytes(Buffer.from(cookie)), seed)
      const words = endless(fc.string({ unit: 'binary', maxLength: 40 }), seed)
      const word = () => encoded(words.next().value)
      const paths = [
        ...['', '/invoices', '/devices', '/alerts', '/companies', '/audit', '/users', '/keys'],
        ...['/settings', '/gateways', '/export', '/account', '/printers', '/nowhere'],
      ]
      await times(count / 2, (n) => {
        const path = `/dashboard${paths[n % paths.length]}${n % 3 === 0 ? `?${word()}=${word()}&q=${word()}&page=${word()}` : ''}`
        const changed = cookies
          .next()
          .value.toString('latin1')
          .replace(/[^\x20-\x7e]/g, '_')
        const headers = { cookie: n % 2 === 0 ? cookie : changed, 'sec-fetch-site': 'same-origin' }
        if (n % 7 !== 0) return send(daemon, { path, headers })
        const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
        return send(daemon, { method: 'POST', path, headers: form, body: `_csrf=${word()}&name=${word()}&${word()}` })
      })
    }
  },
}
