import { request } from 'node:https'
import { checkServerIdentity } from 'node:tls'
import type { Root } from './root.ts'

/** What the firmware of a machine posts. */
export interface Order {
  headers: Record<string, string>
  body: string
}

export interface Sale {
  number: string
  jir: string
  /** What the QR code of its receipt says. */
  qr: string
}

export interface Firmware {
  /** What init has shown at its end. */
  use(given: { key: string; deviceId: string }): void
  /** A new sale, with a key of its own. */
  order(): Order
  /** @throws Error when it is not fiscalized */
  sell(order: Order): Promise<Sale>
}

const CA = 'var/lib/fiskd/tls/ca.pem'

/** The firmware of a machine. @param way to fiskd: a port of loopback, and the name for which its certificate has to be */
export function createFirmware(root: Root, way: Pick<Root['lan'], 'port' | 'name'>): Firmware {
  let known: { key: string; deviceId: string } | undefined
  let sales = 0
  return {
    use(given) {
      known = given
    },
    order() {
      if (!known) throw new Error('it is not set up')
      sales += 1
      const sale = {
        device_id: known.deviceId,
        occurred_at: new Date().toISOString(),
        total: '2.50',
        payment_method: 'K',
      }
      const headers = { authorization: `Bearer ${known.key}`, 'idempotency-key': `trial-${sales}` }
      return { headers, body: JSON.stringify(sale) }
    },
    async sell({ headers, body }) {
      const answer = await post(way, body, headers, await root.read(CA))
      if (answer.status !== 'confirmed') throw new Error(`the sale was not fiscalized: ${JSON.stringify(answer)}`)
      return { number: String(answer.number), jir: String(answer.jir), qr: String(answer.qr_payload) }
    },
  }
}

function post(
  { port, name }: Pick<Root['lan'], 'port' | 'name'>,
  body: string,
  headers: Record<string, string>,
  ca: string,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...{ host: '127.0.0.1', port, path: '/v1/invoices', method: 'POST', agent: false },
      headers: { ...headers, 'content-type': 'application/json' },
      ca,
      checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    })
    outgoing.on('response', async (incoming) => {
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      resolve(JSON.parse(text))
    })
    outgoing.on('error', reject).end(body)
  })
}
