import { TrustBundleList, type TrustBundleView, type TrustChangeView } from '../../contract/admin/trust.ts'
import { TRUST_PURPOSES, type TrustList } from '../../domain/certificate.ts'
import { bringTrust } from '../../domain/texts/trust-texts.ts'
import { addTrust, fetchTrust, readTrustFiles } from '../commands/trust.ts'
import type { Client } from '../daemon/client.ts'
import { Failure } from '../failure.ts'
import type { Prompter } from '../prompts.ts'
import { complain, type Setup, type SetupCompany } from './setup.ts'

/** Ensures that the mode has CA certificates: without them neither CIS nor an upload can be checked. */
export async function trustStep(setup: Setup, { mode }: SetupCompany): Promise<void> {
  const { client, options, prompter, steps } = setup
  const note = ({ added, path }: Pick<TrustChangeView, 'added' | 'path'>) =>
    void steps.push({ step: 'trust', state: added.length > 0 ? 'done' : 'already', detail: path })
  if (options.trustFile) return note(await addForBoth(client, mode, options.trustFile))
  const { data } = await client.get('/admin/trust', TrustBundleList)
  const filled = data.filter((bundle) => bundle.mode === mode && bundle.certificates.length > 0)
  const has = (list: TrustList) => filled.some((bundle) => bundle.list === list)
  if (has('base') || (!options.trustFetch && TRUST_PURPOSES.every(has)))
    return note({ path: filled.map(({ path }) => path).join(', '), added: [] })
  if (options.trustFetch) return note(await fetchTrust(client, mode))
  const change = prompter && (await askUntilTaken(setup, mode, prompter))
  if (change) return note(change)
  const own = data.find((bundle) => bundle.mode === mode && bundle.given)
  steps.push({ step: 'trust', state: 'left', detail: bringTrust(mode, 'base', own?.path ?? null).en })
}

/** Who sets a machine up has the files of a service and of the certificates that it takes. */
async function addForBoth(client: Client, mode: TrustBundleView['mode'], names: string[]) {
  const files = await readTrustFiles(names)
  const service = await addTrust(client, mode, 'service', files)
  const uploads = await addTrust(client, mode, 'uploads', files)
  const added = [...service.added, ...uploads.added]
  const what = 'for the service and for uploads'
  return { added, path: added.length > 0 ? `${what}: ${service.path}, ${uploads.path}` : what }
}

/** A machine may be without internet while it is set up: that must not end the whole set-up. */
async function askUntilTaken({ client, session }: Setup, mode: TrustBundleView['mode'], prompter: Prompter) {
  const question = `CA certificates of the tax authority's ${mode} service`
  for (;;) {
    const way = await prompter.choose(question, [
      { value: 'fetch', label: 'Download them, and check their fingerprints' },
      { value: 'files', label: 'Take them from files' },
      { value: 'later', label: 'Later' },
    ])
    if (way === 'later') return null
    try {
      if (way === 'fetch') return await fetchTrust(client, mode)
      const names = await prompter.text('Files with CA certificates, separated by commas')
      const files = names.split(',').map((name) => name.trim())
      return await addForBoth(client, mode, files.filter(Boolean))
    } catch (error) {
      if (!(error instanceof Failure) || error.body.error.code === 'daemon_unreachable') throw error
      complain(session, error)
    }
  }
}
