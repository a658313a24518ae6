import {
  type RevocationListView,
  TrustBundleList,
  TrustBundleSchema,
  type TrustBundleView,
  TrustChangeSchema,
  type TrustChangeView,
  type TrustedCertificateView,
} from '../../contract/admin/trust.ts'
import type { TrustList, TrustPurpose } from '../../domain/certificate.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Command } from '../command.ts'
import type { Client } from '../daemon/client.ts'
import { Failure } from '../failure.ts'
import { readInput } from '../files.ts'
import { modeOption, purposeOption } from '../options.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { clean, paragraph } from '../text/columns.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const trust = program.subcommand('trust', 'CA certificates that fiskd trusts, and what they revoked, for each mode')
  trust
    .subcommand('list', 'List the trusted certificates and their revocation lists.')
    .addOption(purposeOption())
    .examples('fisk trust list')
    .action(({ for: purpose }: { for?: TrustPurpose }) => list(purpose, session))
  trust
    .subcommand('fetch', "Download the CA certificates of the tax authority's service and check their fingerprints.")
    .addOption(modeOption('for companies of which mode').makeOptionMandatory())
    .examples('fisk trust fetch --mode test')
    .action(({ mode }: { mode: Mode }) =>
      session.ask((client) => during(session, 'Downloading the CA certificates', fetchTrust(client, mode)), changeText),
    )
  trust
    .command('add')
    .description(
      'Trust the CA certificates in files (PEM or DER), and take over the revocation lists (CRL) in them; ' +
        'for a machine without internet, or another issuer.',
    )
    .addOption(modeOption('for companies of which mode').makeOptionMandatory())
    .addOption(purposeOption().makeOptionMandatory())
    .argument('<files...>', 'files with certificates or revocation lists')
    .examples('fisk trust add --mode live --for uploads AKDCARoot.crt CERTILIA.crt')
    .action((files: string[], { mode, for: purpose }: Where) =>
      session.ask(async (client) => addTrust(client, mode, purpose, await readTrustFiles(files)), changeText),
    )
  trust
    .command('remove')
    .description(
      'Trust a CA certificate no longer, nor the revocation lists that it alone has signed. ' +
        'One that counted for both stays trusted for the other.',
    )
    .addOption(modeOption('for companies of which mode').makeOptionMandatory())
    .addOption(purposeOption().makeOptionMandatory())
    .argument('<fingerprint>', 'its SHA-256 fingerprint, or the first 8 digits of it or more')
    .examples('fisk trust remove --mode live --for uploads 5ab4fcdb180b')
    .action((fingerprint: string, where: Where) =>
      session.ask(
        (client) => client.post('/admin/trust/remove', TrustBundleSchema, { ...where, fingerprint }),
        (bundle) => `Removed.\n\n${bundleText(bundle)}`,
      ),
    )
}

interface Where {
  mode: Mode
  for: TrustPurpose
}

async function list(purpose: TrustPurpose | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const { data, ...rest } = await client.get('/admin/trust', TrustBundleList)
  // The base counts for either purpose.
  const shown = data.filter(({ list }) => purpose === undefined || list === 'base' || list === purpose)
  await session.show({ ...rest, data: shown }, () => shown.map(bundleText).join('\n'))
}

/** @throws Failure that says how to do without where the files cannot be downloaded */
export async function fetchTrust(client: Client, mode: Mode): Promise<TrustChangeView> {
  try {
    return await client.post('/admin/trust/fetch', TrustChangeSchema, { mode })
  } catch (error) {
    if (!(error instanceof Failure) || error.body.error.code !== 'internal_error') throw error
    const add = `fisk trust add --mode ${mode} --for`
    throw new Failure(error.body, 1, `Bring the files some other way, then: ${add} service FILES; ${add} uploads FILES`)
  }
}

/** Reads all files before the first one is sent, so that a mistyped name changes nothing. */
export function readTrustFiles(files: string[]): Promise<Buffer[]> {
  return Promise.all(files.map((file) => readInput('files', file)))
}

/** Adds the files one after the other. @returns the list as it is after the last one, with all that was added */
export async function addTrust(
  client: Client,
  mode: Mode,
  purpose: TrustPurpose,
  files: Buffer[],
): Promise<TrustChangeView> {
  const changes: TrustChangeView[] = []
  for (const file of files) {
    const body = { mode, for: purpose, certificates: file.toString('base64') }
    changes.push(await client.post('/admin/trust', TrustChangeSchema, body))
  }
  return {
    ...(changes.at(-1) as TrustChangeView),
    added: changes.flatMap(({ added }) => added),
    added_revocation_lists: changes.flatMap(({ added_revocation_lists }) => added_revocation_lists),
  }
}

function changeText(change: TrustChangeView): string {
  const { added, added_revocation_lists: lists } = change
  const count = added.length + lists.length
  const none = 'Nothing new: all of it was there already, or something newer.\n'
  return `${count > 0 ? `Added ${count}:\n${rowsText(added, lists)}` : none}\n${bundleText(change)}`
}

const LISTS: Record<TrustList, string> = { base: 'for both', service: 'for the service', uploads: 'for uploads' }

function bundleText({ mode, list, path, certificates, revocation_lists: lists }: TrustBundleView): string {
  return `${mode}, ${LISTS[list]}: ${certificates.length} trusted, in ${clean(path)}\n${rowsText(certificates, lists)}`
}

const rowsText = (certificates: TrustedCertificateView[], lists: RevocationListView[]) =>
  certificates.map(certificateText).join('') + lists.map(listText).join('')

function certificateText({ subject, fingerprint, not_after }: TrustedCertificateView): string {
  const until = `until ${localTime(not_after)}`
  return paragraph('  ', subject) + paragraph('    ', fingerprint.replaceAll(':', '')) + paragraph('    ', until)
}

function listText({ issuer, this_update, next_update, entries }: RevocationListView): string {
  const due = next_update === null ? '' : `, next due ${localTime(next_update)}`
  const about = `${entries} revoked, as of ${localTime(this_update)}${due}`
  return paragraph('  ', `revocation list of ${issuer}`) + paragraph('    ', about)
}
