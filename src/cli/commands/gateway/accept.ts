import type { Command } from 'commander'
import { AcceptedInvoiceSchema, type AcceptedInvoiceView } from '../../../contract/admin/gateways.ts'
import type { Session } from '../../session.ts'
import { clean, paragraph } from '../../text/columns.ts'

export function register(gateway: Command, session: Session): void {
  gateway
    .command('accept')
    .description('Store an invoice that was refused because its number is out of reach.')
    .argument('<name>', 'name or id of the gateway')
    .argument('<invoice>', 'id of the invoice, as fisk gateway show tells it')
    .option('--follow', 'go on above its number from now on, here and on the next card; this cannot be taken back')
    .addHelpText('after', '\nExample:\n  fisk gateway accept kiosk-7 inv_01K5ZN3V8Q2M4R6T8W0Y2A4C6E')
    .action(async (name: string, invoice: string, { follow }: { follow?: true }) => {
      const client = await session.client()
      const path = `/admin/gateways/${encodeURIComponent(name)}/accept`
      const accepted = await client.post(path, AcceptedInvoiceSchema, {
        invoice_id: invoice,
        ...(follow && { follow }),
      })
      await session.show(accepted, acceptedText)
    })
}

function acceptedText({ name, invoice_id: invoice, follow }: AcceptedInvoiceView): string {
  const counting = follow ? 'Counting follows its number then.' : 'Counting stays where it is; --follow would move it.'
  return (
    paragraph('', `Accepted the invoice ${clean(invoice)} of ${clean(name)}. ${counting}`) +
    paragraph('', 'It is stored when the gateway tells of it again: within a day, or on its machine: fisk sync now')
  )
}
