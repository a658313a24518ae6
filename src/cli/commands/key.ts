import { KeyList, KeySchema, type KeyView, NewKeySchema, type NewKeyView } from '../../contract/admin/access.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Command, Given } from '../command.ts'
import { consent, yesOption } from '../consent.ts'
import { type ListOptions, showPage, tableOf } from '../daemon/lists.ts'
import { deviceNamed } from '../daemon/references.ts'
import { modeOption } from '../options.ts'
import type { Session } from '../session.ts'
import { clean, englishFields, fields } from '../text/columns.ts'
import { columnsOf, csvOption } from '../text/csv.ts'
import type { Screen } from '../text/screen.ts'
import { layoutOf } from '../text/table.ts'
import { localTime } from '../text/times.ts'

interface CreateOptions extends Given<'scopes' | 'device' | 'name'> {
  mode: Mode
}

export function register(program: Command, session: Session): void {
  const key = program.command('key').description('API keys for vending firmware and other clients')
  key
    .subcommand('create', 'Make an API key. It is shown this once and stored only as a hash.')
    .addOption(modeOption('companies of which mode the key reaches').makeOptionMandatory())
    .option('--scopes <list>', 'what the key may do, comma-separated (default: invoices:write,invoices:read)')
    .option('--device <label-or-id>', 'bind the key to one device')
    .option('--name <name>', 'what the key is for')
    .examples('fisk key create --mode test --device "Lobby 1" --name "Lobby firmware"')
    .action((options: CreateOptions) => create(options, session))
  key
    .subcommand('list', 'List API keys. The keys themselves are known to nobody any more.')
    .addOption(csvOption())
    .examples('fisk key list')
    .action(async ({ csv }: ListOptions) =>
      showPage(session, await (await session.client()).get('/admin/keys', KeyList), ROWS, csv),
    )
  key
    .subcommand('revoke', 'End an API key. The next request that carries it is refused.')
    .argument('<id>', 'its id, as `fisk key list` shows it')
    .addOption(yesOption())
    .examples('fisk key revoke 0198c7a2-5d1e-7000-8000-3f6f1c2d4e5f --yes')
    .action(async (id: string, { yes }: { yes?: true }) => {
      await consent(session, yes, `End the API key ${clean(id)} for good? Whoever uses it is refused from now on.`)
      const path = `/admin/keys/${encodeURIComponent(id)}/revoke`
      await session.ask((client) => client.post(path, KeySchema), storedKeyText)
    })
}

async function create({ mode, scopes, device, name }: CreateOptions, session: Session): Promise<void> {
  const client = await session.client()
  const created = await client.post('/admin/keys', NewKeySchema, {
    mode,
    ...(scopes !== undefined && {
      scopes: scopes
        .trim()
        .split(/\s*,\s*/)
        .filter(Boolean),
    }),
    ...(device !== undefined && { device_id: (await deviceNamed(client, device)).id }),
    ...(name !== undefined && { name }),
  })
  // Nothing beside these four: scripts rely on the shape.
  await session.show({ id: created.id, key: created.key, mode: created.mode, scopes: created.scopes }, keyText)
}

function keyText(key: NewKeyView): string {
  const rest = fields([
    ['id', key.id],
    ['mode', key.mode],
    ['scopes', key.scopes.join(', ')],
  ])
  return `API key, shown only now:\n\n  ${key.key}\n\n${rest}`
}

const LAYOUT = layoutOf({ Id: 36, Name: null, Mode: 7, State: 9 })

const ROWS = tableOf<KeyView>(LAYOUT, {
  none: 'There is no API key yet: fisk key create --mode test',
  cells: ({ id, name, mode, revoked_at }, say) => [id, name ?? '', say(mode), say(revoked_at ? 'revoked' : 'in use')],
  sheet: {
    ...columnsOf('id', 'name', 'mode'),
    scopes: ({ scopes }) => scopes.join(' '),
    ...columnsOf('device_id', 'created_at', 'revoked_at'),
  },
})

function storedKeyText(key: KeyView, screen: Screen): string {
  return englishFields(screen, [
    ['API key', key.id],
    ['name', key.name],
    ['mode', key.mode],
    ['scopes', key.scopes.join(', ')],
    ['device', key.device_id],
    ['made', localTime(key.created_at)],
    ['revoked', localTime(key.revoked_at)],
  ])
}
