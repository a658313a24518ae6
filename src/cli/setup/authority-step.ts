import { DiagnosisSchema, type DiagnosisView } from '../../contract/admin/diagnosis.ts'
import { announce, type Setup } from './setup.ts'

/** How the authority answers is known before the first sale depends on it. Empty when the daemon does not tell. */
export async function askAuthority({ client, session }: Setup): Promise<DiagnosisView['checks']> {
  announce(session, 'Asking the tax authority how it answers: half a minute at most ...')
  const found = await client.get('/admin/authority', DiagnosisSchema).catch(() => null)
  return found?.checks ?? []
}
