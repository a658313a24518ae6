import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'

/**
 * Writes into the audit log that somebody takes a file with many rows away.
 * @param file its name, such as `racuni-2026-11-01-2026-11-30.csv`
 */
export type NoteDownload = (principal: Principal, file: string) => Promise<void>

export function createDownloadNotes({ store, clock }: Context): NoteDownload {
  return (principal, file) => audit(store, principal, clock.now(), 'file.downloaded', { file })
}
