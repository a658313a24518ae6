import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import type { Root } from './root.ts'

/** What the firmware of a machine posts. */
export interface Order {
  headers: Record<string, string>
  body: string
}

export interface Sale {
  number: string
  jir: string
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

/** The firmware of a machine that reaches fiskd on loopback. */
export function createFirmware(root: Root, port: number): Firmware {
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
      const answer = await post(`https://127.0.0.1:${port}/v1/invoices`, body, headers, readFileSync(root.path(CA)))
      if (answer.status !== 'confirmed') throw new Error(`the sale was not fiscalized: ${JSON.stringify(answer)}`)
      return { number: String(answer.number), jir: String(answer.jir) }
    },
  }
}

function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  ca: Buffer,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca, agent: false, headers: { ...headers, 'content-type': 'application/json' } }
    const outgoing = request(url, options, async (incoming) => {
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      resolve(JSON.parse(text))
    })
    outgoing.on('error', reject).end(body)
  })
}
