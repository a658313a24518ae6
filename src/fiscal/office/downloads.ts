import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'

/** Logs for the audit that somebody takes a file with many rows away, by its name. */
export type NoteDownload = (principal: Principal, file: string) => Promise<void>

export function createDownloadNotes({ store, clock }: Context): NoteDownload {
  return (principal, file) => audit(store, principal, clock.now(), 'file.downloaded', { file })
}
