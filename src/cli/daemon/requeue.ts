import { RequeuedSchema, SweepSchema, type SweepView } from '../../contract/admin/queue.ts'
import { whenOver } from '../progress.ts'
import type { Session } from '../session.ts'
import { fields } from '../text/columns.ts'
import type { Client } from './client.ts'

const LOOK_EVERY_MS = 500

export async function requeue(client: Client, code: string | undefined, session: Session): Promise<void> {
  const body = code === undefined ? {} : { code }
  const { requeued, asked_gateways, ...begun } = await client.post('/admin/invoices/requeue', RequeuedSchema, body)
  const sweep = requeued === 0 ? begun : await watch(client, begun, session)
  await session.show({ requeued, asked_gateways, ...sweep }, ({ queue, unreachable }) =>
    fields([
      ['put back', `${requeued} failed ${requeued === 1 ? 'sale' : 'sales'}`],
      ['gateways', asked_gateways === 0 ? null : `${asked_gateways} send theirs as soon as they ask this server`],
      ['still waiting', String(queue.retrying)],
      ['failed', String(queue.failed)],
      ['next', unreachable ? 'CIS cannot be reached now: fiskd goes on by itself when it can' : null],
    ]),
  )
  if (sweep.queue.retrying + sweep.queue.failed > 0) session.exitCode = 1
}

function watch(client: Client, begun: SweepView, session: Session): Promise<SweepView> {
  const most = begun.queue.retrying
  const line = (text: string) => session.io.isTty && session.io.stderr.write(`\r${text.padEnd(60)}`)
  const goesOn = ({ running, queue: { retrying, failed } }: SweepView) => {
    line(running ? `${Math.max(0, most - retrying)} of ${most} sent, ${failed} failed` : '')
    return running
  }
  return whenOver(begun, goesOn, () => client.get('/admin/sweep', SweepSchema), LOOK_EVERY_MS)
}
