import type { Command } from 'commander'
import type { Mode } from '../../domain/sale.ts'
import type { ApiKey } from '../answers.ts'
import { modeOption } from '../options.ts'
import { deviceNamed } from '../references.ts'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'

interface CreateOptions {
  mode: Mode
  scopes?: string
  device?: string
  name?: string
}

export function register(program: Command, session: Session): void {
  const key = program.command('key').description('API keys for vending firmware and other clients')
  key
    .command('create')
    .description('Make an API key. It is shown this once and stored only as a hash.')
    .addOption(modeOption('companies of which mode the key reaches').makeOptionMandatory())
    .option('--scopes <list>', 'what the key may do, comma-separated (default: invoices:write,invoices:read)')
    .option('--device <label-or-id>', 'bind the key to one device')
    .option('--name <name>', 'what the key is for')
    .addHelpText('after', '\nExample:\n  fisk key create --mode test --device "Lobby 1" --name "Lobby firmware"')
    .action((options: CreateOptions) => create(options, session))
}

async function create({ mode, scopes, device, name }: CreateOptions, session: Session): Promise<void> {
  const client = await session.client()
  const created = await client.post<ApiKey>('/admin/keys', {
    mode,
    ...(scopes !== undefined && { scopes: listOf(scopes) }),
    ...(device !== undefined && { device_id: (await deviceNamed(client, device)).id }),
    ...(name !== undefined && { name }),
  })
  // Nothing beside these four: scripts rely on the shape.
  await session.show({ id: created.id, key: created.key, mode: created.mode, scopes: created.scopes }, keyText)
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean)
}

function keyText(key: ApiKey): string {
  const rest = fields([
    ['id', key.id],
    ['mode', key.mode],
    ['scopes', key.scopes.join(', ')],
  ])
  return `API key, shown only now:\n\n  ${key.key}\n\n${rest}`
}
