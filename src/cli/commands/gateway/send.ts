import { Option } from 'commander'
import { GatewayCommandSchema, type GatewayCommandView } from '../../../contract/admin/gateway-commands.ts'
import { GatewayDetailsSchema, type GatewayDetailsView } from '../../../contract/admin/gateways.ts'
import { FISCAL_ERRORS } from '../../../domain/sale/invoice.ts'
import { certificateForm, readCertificate } from '../../certificate-file.ts'
import type { Command } from '../../command.ts'
import { configOptions } from '../../config-options.ts'
import { yesOption } from '../../consent.ts'
import type { Client } from '../../daemon/client.ts'
import { companyId } from '../../daemon/references.ts'
import { wrongUse } from '../../failure.ts'
import { numberAs } from '../../options.ts'
import { whenOver } from '../../progress.ts'
import { type SecretOptions, secretFrom, secretOptions } from '../../secrets.ts'
import type { Session } from '../../session.ts'
import { clean, paragraph } from '../../text/columns.ts'
import { gatewayCommandText, isFine } from '../../text/gateway-command-text.ts'
import { localTime } from '../../text/times.ts'
import { requireOptions, type SendOptions, WHATS } from './wanted.ts'

interface Options extends SendOptions, SecretOptions<'passphrase'> {
  file?: string
  wait?: number | false
}

const CERTIFICATE = 'certificate'
const NAMES = [...Object.keys(WHATS), CERTIFICATE]
const LOOK_MS = 300
const WAIT_S = 60
const seconds = numberAs(/^\d{1,5}$/, 'It is a number of seconds.')
/** Both look at everything. */
const LONG_WAIT_S = 300
const LONG = ['doctor', 'support-bundle']

export function register(gateway: Command, session: Session): void {
  gateway
    .command('send')
    .description(
      'Have a gateway do something, as soon as it asks, and wait for its answer. Exit code 1 when it did not do it, or ' +
        'has not answered in time: then it still does it within 7 days.',
    )
    .argument('<gateway>', 'its name or id')
    .argument('<what>', `one of: ${NAMES.join(', ')}`)
    .option('--device <device>', 'label or id')
    .option('--isu <number>', "isu, device-add: the number that the tax authority's portal issued")
    .option('--no-isu', 'isu: it has none any more, and cannot sell')
    .option('--label <text>', 'device-set, device-add: its name; certificate: a name for people')
    .option('--address <text>', 'device-set, device-add: where it stands, for people')
    .option('--no-address', 'device-set: no address is known')
    .option('--company <oib-or-id>', 'device-add, certificate: the company')
    .option('--premises <code>', 'device-add: its business premises code')
    .option('--invoice <id>', 'retry, copy: the sale, inv_...')
    .choice('--code <code>', 'retry-failed: what the sales have failed with', Object.keys(FISCAL_ERRORS))
    .option('--key <id>', 'revoke-key: the id of an API key of the gateway')
    .option('--file <file>', 'certificate: the PKCS#12 file (.p12, .pfx)')
    .with([...secretOptions('passphrase'), ...configOptions('of this device')])
    .addOption(
      new Option('--wait <seconds>', 'for the answer (default: 60; 300 for doctor and support-bundle)').argParser(
        seconds,
      ),
    )
    .option('--no-wait', 'do not wait for the answer')
    .addOption(yesOption())
    .examples(
      'fisk gateway send kiosk-7 isu --device "Lobby 1" --isu 12345',
      'fisk gateway send kiosk-7 suspend --device "Lobby 1" --yes',
      'fisk gateway send kiosk-7 certificate --company 02994650199 \\\n    --file fiskal2.p12 --passphrase-file secret.txt',
      'fisk gateway send kiosk-7 device-set --device "Lobby 1" --payment-method K',
      'fisk gateway send kiosk-7 retry --invoice inv_01JD5X',
      'fisk gateway send kiosk-7 retry-failed --code certificate_expired',
      'fisk gateway send kiosk-7 doctor',
    )
    .action((name: string, what: string, options: Options) => sendIt(name, what, options, session))
}

async function sendIt(gateway: string, what: string, { wait, ...options }: Options, session: Session): Promise<void> {
  const client = await session.client()
  const path = `/admin/gateways/${encodeURIComponent(gateway)}`
  const sent =
    what === CERTIFICATE
      ? await sendCertificate(client, path, options, session)
      : await sendWords(client, path, what, options, session)
  const waitS = wait === false ? 0 : (wait ?? (LONG.includes(what) ? LONG_WAIT_S : WAIT_S))
  const until = performance.now() + waitS * 1000
  const goesOn = ({ status }: GatewayCommandView) => status === 'waiting' && performance.now() < until
  const look = () => client.get(`${path}/commands/${sent.id}`, GatewayCommandSchema)
  const answered = await whenOver(sent, goesOn, look, LOOK_MS)
  const hint =
    answered.status === 'waiting'
      ? waitingText(await client.get(path, GatewayDetailsSchema), answered)
      : savingText(gateway, answered)
  await session.show(answered, (command, screen) => gatewayCommandText(command, screen) + sentText(sent) + hint)
  if (wait !== false && !isFine(answered)) session.exitCode = 1
}

async function sendWords(client: Client, path: string, what: string, options: Options, session: Session) {
  const wanted = WHATS[what]
  if (!wanted) throw wrongUse('what', `A gateway cannot be told "${what}".`, `Use one of: ${NAMES.join(', ')}`)
  requireOptions(what, options, ['yes'], wanted)
  return client.post(`${path}/commands`, GatewayCommandSchema, await wanted.make(options, client, session))
}

async function sendCertificate(client: Client, path: string, options: Options, session: Session) {
  const secret = ['passphraseFile', 'passphraseStdin', 'label', 'yes']
  const shape = { needs: ['company', 'file'] as never[], takes: secret, make: async () => ({ type: '', body: {} }) }
  requireOptions(CERTIFICATE, options, [], shape)
  const company = companyId(String(options.company))
  const file = await readCertificate('file', String(options.file))
  const passphrase = await secretFrom('passphrase', options, session, 'Passphrase of the certificate')
  const form = certificateForm({ company, file, passphrase, label: options.label })
  return client.upload(`${path}/certificates`, GatewayCommandSchema, form)
}

/** What the server did with the wish besides queueing it. */
function sentText({ repeated, replaced = [], issued_at }: GatewayCommandView): string {
  const again = `This waits since ${localTime(issued_at)}: nothing was queued a second time.`
  const instead = `It replaces what was not fetched yet: ${replaced.join(', ')}`
  return (repeated ? paragraph('\n', again) : '') + (replaced.length > 0 ? paragraph('\n', instead) : '')
}

function waitingText(
  { name, state, last_seen_at }: GatewayDetailsView,
  { id, sent_at, expires_at }: GatewayCommandView,
): string {
  const since = last_seen_at === null ? 'was never heard of' : `is silent since ${localTime(last_seen_at)}`
  const who =
    state === 'connected' ? `${clean(name)} has not answered yet.` : `${clean(name)} ${STATES[state] ?? since}.`
  const until = sent_at === null ? ` It is not done yet, and expires on ${localTime(expires_at)}.` : ''
  return `${paragraph('\n', who + until)}\nSee what came of it: fisk gateway commands ${clean(name)} ${id}\n`
}

const STATES: Partial<Record<GatewayDetailsView['state'], string>> = {
  duplicated: 'gets no commands while two machines say that they are it',
  left: 'has left this server',
  revoked: 'was revoked',
}

function savingText(gateway: string, { id, attachment }: GatewayCommandView): string {
  if (!attachment) return ''
  return paragraph('\nSave it: ', `fisk gateway commands ${gateway} ${id} --save ${attachment.name}`)
}
