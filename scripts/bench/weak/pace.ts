import { spawn } from 'node:child_process'
import { median, quantile, round } from '../statistics.ts'
import type { Cgroup } from './cgroup.ts'
import type { WeakKiosk } from './kiosk.ts'

interface PaceOrder {
  /** Of one core. */
  share: number
  /** RSA-4096 signatures a second that this has to be. */
  signs: number
  sales: number
}

const PROOF_S = 5

/** With so much of a core: starts, sales one after another, receipts, signs of life. */
export async function measureAt(kiosk: WeakKiosk, group: Cgroup, { share, signs, sales }: PaceOrder) {
  await kiosk.daemon.stop()
  group.limitCpu(share)
  const reached = await signsIn(group)
  const startMs = await kiosk.start()
  const first = await kiosk.sell()
  const sold: { answerMs: number; receiptMs: number }[] = []
  for (let i = 0; i < sales; i++) sold.push(await kiosk.sell())
  const answers = sold.map(({ answerMs }) => answerMs)
  const latestSignMs = Math.max(0, ...kiosk.signsLate)
  const row = {
    'of a core, %': round(share * 100),
    'RSA-4096/s': `${round(reached)} of ${round(signs)}`,
    'start, s': round(startMs / 1000),
    'first sale, ms': Math.round(first.answerMs),
    'median, ms': Math.round(median(answers)),
    '99 %, ms': Math.round(quantile(answers, 0.99)),
    'receipt, ms': Math.round(median(sold.map(({ receiptMs }) => receiptMs))),
    'signs of life': kiosk.signsLate.length,
    'latest, ms': Math.round(latestSignMs),
  }
  return { row, latestSignMs }
}

/** What the group really makes, by the clock on the wall: others on this computer slow it down as well. */
function signsIn(group: Cgroup): Promise<number> {
  return new Promise((resolve, reject) => {
    const args = ['speed', '-elapsed', '-seconds', String(PROOF_S), 'rsa4096']
    const child = group.start(() => spawn('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] }))
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    child.once('error', reject)
    child.once('close', () => resolve(Number(/^rsa +4096 bits +\S+ +\S+ +(\S+)/m.exec(told)?.[1])))
  })
}
