import type { CompanyCertificate } from '../../fiscal/doctor/status.ts'
import type { DeviceFile } from '../../fiscal/office/fleet.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { texts } from './texts.ts'

export type StepName = 'company' | 'report' | 'enter' | 'active' | 'first'

export interface Step {
  name: StepName
  state: 'done' | 'now' | 'wrong' | 'later'
  text: string
}

/** The steps until a device sells, in order; the first one that is not done is to do now. */
export function stepsOf({ device, company }: DeviceFile, certificate: CompanyCertificate, language: Language): Step[] {
  const s = texts[language].steps
  const { isuNumber, isuStatus, status, lastSuccessAt } = device
  const hasNumber = isuNumber !== null && isuStatus === 'assigned'
  const companyText =
    company.status !== 'active'
      ? s.companyOff
      : { missing: s.companyNoCertificate, expired: s.companyExpired, valid: '', expiring: '' }[certificate.status]
  const all: [StepName, boolean, string][] = [
    ['company', companyText === '', companyText || s.companyDone],
    ['report', hasNumber, hasNumber ? s.reportDone : s.reportHow],
    ['enter', hasNumber, hasNumber ? s.enterDone(isuNumber) : s.enterHow],
    ['active', status === 'active', status === 'active' ? s.activeDone : s[status]],
    ['first', lastSuccessAt !== null, lastSuccessAt === null ? s.firstHow : ''],
  ]
  const next = all.findIndex(([, isDone]) => !isDone)
  return all.map(([name, isDone, text], index) => {
    const isWrong = isuStatus === 'mismatch' && (name === 'report' || name === 'enter')
    const state = isDone
      ? 'done'
      : isWrong
        ? 'wrong'
        : index === next || isOfNext(name, all[next]?.[0])
          ? 'now'
          : 'later'
    return { name, state, text }
  })
}

/** A device is reported and its number entered in one go. */
const isOfNext = (name: StepName, next: StepName | undefined) => name === 'enter' && next === 'report'
