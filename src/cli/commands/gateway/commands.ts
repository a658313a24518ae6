import { GatewayCommandSchema, type GatewayCommandView } from '../../../contract/admin/gateway-commands.ts'
import type { Command, Flags, Given } from '../../command.ts'
import type { Client } from '../../daemon/client.ts'
import { type PageOptions, pageOptions, showPages, tableOf } from '../../daemon/lists.ts'
import { missing, wrongUse } from '../../failure.ts'
import { refuseExisting, writeOutput } from '../../output-file.ts'
import type { Session } from '../../session.ts'
import { columnsOf } from '../../text/csv.ts'
import { gatewayCommandText } from '../../text/gateway-command-text.ts'
import { layoutOf } from '../../text/table.ts'
import { localTime } from '../../text/times.ts'

type Options = PageOptions & Given<'save'> & Flags<'force'>

export function register(gateway: Command, session: Session): void {
  gateway
    .command('commands')
    .description('Show what a gateway was told to do and what came of it: the latest first, or one of them in full.')
    .argument('<gateway>', 'its name or id')
    .argument('[id]', 'the id of a command')
    .option('--save <file>', 'with an id: write the file that it brought back')
    .option('--force', 'with --save: replace the file if there is one')
    .examples(
      'fisk gateway commands kiosk-7',
      'fisk gateway commands kiosk-7 5f0c8a52-6f0e-4a5c-9d0e-3f3f9f3c1b2a \\\n    --save kiosk-7.tar.gz',
    )
    .action((name: string, id: string | undefined, options: Options) => show(name, id, options, session))
    .with(pageOptions())
}

async function show(gateway: string, id: string | undefined, options: Options, session: Session): Promise<void> {
  const { save, force, ...page } = options
  const path = `/admin/gateways/${encodeURIComponent(gateway)}/commands`
  if (id === undefined) {
    if (save !== undefined) throw wrongUse('save', '--save goes with the id of a command.')
    return showPages(session, path, GatewayCommandSchema, {}, page, ROWS)
  }
  const client = await session.client()
  const one = `${path}/${encodeURIComponent(id)}`
  const command = await client.get(one, GatewayCommandSchema)
  if (save !== undefined) await saveFile(client, one, command, { file: save, force: force === true })
  const saved = save === undefined ? '' : `\n${save} holds what it brought back.\n`
  await session.show(command, (found, screen) => gatewayCommandText(found, screen) + saved)
}

async function saveFile(
  client: Client,
  path: string,
  { attachment }: GatewayCommandView,
  { file, force }: { file: string; force: boolean },
): Promise<void> {
  if (!attachment) throw missing('save', 'This command has brought no file back.')
  refuseExisting(file, force)
  const { body } = await client.download(`${path}/attachment`)
  await writeOutput(file, { force, what: 'file' }, async (handle) => {
    for await (const chunk of body) await handle.writeFile(chunk)
  })
}

const LAYOUT = layoutOf({ Sent: 19, What: 15, Status: 11, Id: null })

const ROWS = tableOf<GatewayCommandView>(LAYOUT, {
  none: 'It was told nothing yet.',
  cells: ({ issued_at, type, status, id }) => [localTime(issued_at) ?? '', type, status, id],
  sheet: columnsOf('id', 'number', 'type', 'status', 'issued_at', 'issued_by', 'answered_at'),
})
