import { blockerWords } from '../../domain/texts/blocker-texts.ts'
import type { Blocker } from '../../fiscal/doctor/blockers/blocker.ts'
import type { Language } from '../../fiscal/ports/model.ts'

/** What keeps something from selling, and what to do about it. */
export function blockerText(blocker: Blocker, language: Language) {
  const [what, todo] = blockerWords(blocker.cause, blocker, language)
  return { what, todo, href: pageOf(blocker) }
}

/** The page on which the office can remove a blocker; null for what only a technician can do at the machine. */
function pageOf({ cause, companyId, deviceId }: Blocker): string | null {
  if (deviceId !== undefined) return `/dashboard/devices/${deviceId}`
  if (companyId !== undefined) return `/dashboard/companies/${companyId}`
  if (cause === 'no_company') return '/dashboard/companies'
  if (cause === 'isu_missing') return '/dashboard/devices?isu=pending'
  if (cause === 'isu_mismatch') return '/dashboard/devices?isu=mismatch'
  return cause === 'no_device' || cause === 'device_suspended' ? '/dashboard/devices' : null
}
