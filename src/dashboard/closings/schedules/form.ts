import { CLOSING_UNITS } from '../../../domain/sale/closing-period.ts'
import type { WantedSchedule } from '../../../fiscal/closings/closing-schedules.ts'
import { LANGUAGES } from '../../../fiscal/ports/model.ts'
import { chosenId } from '../../ids.ts'
import { addressIn } from '../../mail-form.ts'
import type { PageContext } from '../../page-routes.ts'
import type { Texts } from './texts.ts'

export type Fields = Record<'unit' | 'company' | 'mode' | 'to' | 'language', string>

/** @returns what is wrong with the form, by field, when something is */
export function readSchedule(context: PageContext, t: Texts): { wanted: WantedSchedule } | { errors: Partial<Fields> } {
  const { form, principal } = context
  const companyId = chosenId(form.company ?? '') ?? null
  // Only users without a limit are offered all companies.
  if (companyId === null && principal.companyIds !== null) return { errors: { company: t.chooseCompany } }
  return {
    wanted: {
      unit: CLOSING_UNITS.find((one) => one === form.unit) ?? 'day',
      mode: form.mode === 'test' ? 'test' : 'live',
      companyId,
      recipient: addressIn(context),
      language: LANGUAGES.find((one) => one === form.language) ?? 'hr',
    },
  }
}

export const fieldsOf = ({ unit, mode, companyId, recipient, language }: WantedSchedule): Fields => ({
  ...{ unit, mode, language, company: companyId ?? '', to: recipient },
})
