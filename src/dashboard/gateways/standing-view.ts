import type { CommandStanding } from '../../fiscal/gateways/command-list.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'
import { UUID } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { outcomeOf } from './command-view.ts'
import { pathOf } from './list.ts'
import { type StandingTexts, standingTexts } from './standing-texts.ts'
import { texts } from './texts.ts'

/** More are counted, not shown one by one. */
const MOST_SHOWN = 20

/**
 * The commands of gateways that a page is about: those that wait, and those that its reader has just sent (`sent` of its
 * address), which may be done already.
 * @param isAbout which of those that wait
 */
export async function standingsFor(
  { admin }: DashboardDeps,
  { principal, query }: PageContext,
  gatewayIds: readonly string[],
  isAbout: (command: GatewayCommand) => boolean,
): Promise<CommandStanding[]> {
  const waiting = (await admin.commands.waitingAt(principal, gatewayIds)).filter(({ command }) => isAbout(command))
  const sent = await admin.commands.commandsWith(principal, readIds(query.sent))
  const isShown = new Set(waiting.map(({ command }) => command.id))
  return [...sent.filter(({ command }) => !isShown.has(command.id)), ...waiting]
}

/** As the partial `standing-commands` shows them. @param back the page that shows the new state */
export function viewOfStandings(standings: readonly CommandStanding[], context: PageContext, back: string) {
  const t = standingTexts[context.language]
  const shown = standings.slice(0, MOST_SHOWN)
  const isWaiting = shown.some(({ command }) => command.status === 'waiting')
  const of = shown.map(({ command }) => command.id).join(',')
  return {
    t,
    rows: shown.map((standing) => standingRow(standing, context)),
    more: standings.length - shown.length,
    isWaiting,
    back,
    again: addressOf('/dashboard/commands', { of, back }),
  }
}

/** The ids in an address; what is none is left out. */
export function readIds(text: string | undefined): string[] {
  const ids = (text ?? '').split(',', MOST_SHOWN + 1).filter((id) => UUID.test(id))
  return [...new Set(ids)].slice(0, MOST_SHOWN)
}

export function standingRow(standing: CommandStanding, { language, f }: PageContext) {
  const t = standingTexts[language]
  const { command, gateway, state } = standing
  const what = askedFor(command, t)
  const path = `${pathOf(gateway)}/commands/${command.id}`
  if (command.status !== 'waiting') {
    const { kind, text } = outcomeOf(command, texts[language])
    return { kind, path, sentences: [t.ended(what, gateway, text)] }
  }
  if (command.sentAt !== null)
    return { kind: '', path, sentences: [t.fetched(what, gateway, f.inText(command.sentAt))] }
  const trouble = {
    connected: null,
    silent: t.silent(f.inText(standing.heardAt)),
    duplicated: t.duplicated,
    left: t.unreachable,
    revoked: t.unreachable,
    awaiting_token: t.unreachable,
  }[state]
  const sentences = [t.waits(what, gateway, f.inText(command.issuedAt)), trouble, t.lapses(f.inText(command.expiresAt))]
  return { kind: trouble === null ? '' : 'warn', path, sentences: sentences.filter((one) => one !== null) }
}

/** What was asked for, as the beginning of a sentence. */
function askedFor({ type, body }: Pick<GatewayCommand, 'type' | 'body'>, { asked }: StandingTexts): string {
  const { isu_number, label, premises_address, device_config, status } = body
  if (type === 'device.set_isu') return isu_number === null ? asked.noIsu : asked.isu(String(isu_number))
  if (type === 'device.add') return asked.add(String(label))
  if (type === 'company.set_status') return asked.company[status as Company['status']]
  if (type !== 'device.change') return asked[NAMES[type]]
  const changes = Object.keys(body).length - 1
  if (changes === 1 && (status === 'active' || status === 'suspended' || status === 'archived')) return asked[status]
  if (changes === 1 && label !== undefined) return asked.label(String(label))
  if (changes === 1 && device_config !== undefined) return asked.settings
  if (changes === 2 && label !== undefined && premises_address !== undefined)
    return asked.words(String(label), String(premises_address ?? asked.noAddress))
  return asked.change
}

const NAMES = {
  'device.set_setting': 'settings',
  'certificate.add': 'certificate',
  'api_key.revoke': 'key',
  'invoice.retry': 'retry',
  'invoices.requeue': 'requeue',
  'receipt.copy': 'copy',
  'invoice.correct': 'correct',
  'hours.show': 'hours',
  'hours.set': 'hours',
  'hours.remove': 'hours',
  doctor: 'doctor',
  support_bundle: 'bundle',
} as const
