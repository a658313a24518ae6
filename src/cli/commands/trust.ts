import type { Command } from 'commander'
import {
  type RevocationListView,
  TrustBundleList,
  type TrustBundleView,
  TrustChangeSchema,
  type TrustChangeView,
  type TrustedCertificateView,
} from '../../contract/admin/trust.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Client } from '../daemon/client.ts'
import { Failure } from '../failure.ts'
import { readInput } from '../files.ts'
import { modeOption } from '../options.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { clean, paragraph } from '../text/columns.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const trust = program
    .command('trust')
    .description('CA certificates that fiskd trusts, and what they revoked, for each mode')
  trust
    .command('list')
    .description('List the trusted certificates and their revocation lists.')
    .addHelpText('after', '\nExample:\n  fisk trust list')
    .action(() => list(session))
  trust
    .command('fetch')
    .description("Download the CA certificates of the tax authority's service and check their fingerprints.")
    .addOption(modeOption('for companies of which mode').makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  fisk trust fetch --mode test')
    .action(({ mode }: { mode: Mode }) => fetchBundle(mode, session))
  trust
    .command('add')
    .description(
      'Trust the CA certificates in files (PEM or DER), and take over the revocation lists (CRL) in them; ' +
        'for a machine without internet, or another issuer.',
    )
    .addOption(modeOption('for companies of which mode').makeOptionMandatory())
    .argument('<files...>', 'files with certificates or revocation lists')
    .addHelpText('after', '\nExample:\n  fisk trust add --mode live FinaRootCA.cer FinaRDCCA2020.cer')
    .action((files: string[], { mode }: { mode: Mode }) => add(files, mode, session))
}

async function list(session: Session): Promise<void> {
  const client = await session.client()
  await session.show(await client.get('/admin/trust', TrustBundleList), ({ data }) => data.map(bundleText).join('\n'))
}

async function fetchBundle(mode: Mode, session: Session): Promise<void> {
  const fetching = fetchTrust(await session.client(), mode)
  await session.show(await during(session, 'Downloading the CA certificates', fetching), changeText)
}

async function add(files: string[], mode: Mode, session: Session): Promise<void> {
  await session.show(await addTrust(await session.client(), mode, await readTrustFiles(files)), changeText)
}

/** @throws Failure that says how to do without where the files cannot be downloaded */
export async function fetchTrust(client: Client, mode: Mode): Promise<TrustChangeView> {
  try {
    return await client.post('/admin/trust/fetch', TrustChangeSchema, { mode })
  } catch (error) {
    if (!(error instanceof Failure) || error.body.error.code !== 'internal_error') throw error
    throw new Failure(error.body, 1, `Bring the files some other way, then: fisk trust add --mode ${mode} FILES`)
  }
}

/** Reads all files before the first one is sent, so that a mistyped name changes nothing. */
export function readTrustFiles(files: string[]): Promise<Buffer[]> {
  return Promise.all(files.map((file) => readInput('files', file)))
}

/** Adds the files one after the other. @returns the bundle as it is after the last one, with all that was added */
export async function addTrust(client: Client, mode: Mode, files: Buffer[]): Promise<TrustChangeView> {
  const added: TrustedCertificateView[] = []
  const addedLists: RevocationListView[] = []
  let bundle: TrustBundleView = { mode, path: '', certificates: [], revocation_lists: [] }
  for (const file of files) {
    const change = await client.post('/admin/trust', TrustChangeSchema, { mode, certificates: file.toString('base64') })
    added.push(...change.added)
    addedLists.push(...change.added_revocation_lists)
    bundle = change
  }
  return { ...bundle, added, added_revocation_lists: addedLists }
}

function changeText(change: TrustChangeView): string {
  const { added, added_revocation_lists: lists } = change
  const count = added.length + lists.length
  const heading = count === 0 ? 'Nothing new: all of it was there already, or something newer.\n' : `Added ${count}:\n`
  return `${heading}${added.map(certificateText).join('')}${lists.map(listText).join('')}\n${bundleText(change)}`
}

function bundleText({ mode, path, certificates, revocation_lists: lists }: TrustBundleView): string {
  const rows = certificates.map(certificateText).join('') + lists.map(listText).join('')
  return `${mode}: ${certificates.length} trusted, in ${clean(path)}\n${rows}`
}

function certificateText({ subject, fingerprint, not_after }: TrustedCertificateView): string {
  const until = `until ${localTime(not_after)}`
  return [paragraph('  ', subject), paragraph('    ', fingerprint.replaceAll(':', '')), paragraph('    ', until)].join(
    '',
  )
}

function listText({ issuer, this_update, next_update, entries }: RevocationListView): string {
  const due = next_update === null ? '' : `, next due ${localTime(next_update)}`
  const about = `${entries} revoked, as of ${localTime(this_update)}${due}`
  return paragraph('  ', `revocation list of ${issuer}`) + paragraph('    ', about)
}
