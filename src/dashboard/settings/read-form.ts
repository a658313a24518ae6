import { withMember } from '../../domain/sale/config-chain.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import { saysNone, typedIn } from './effective-settings.ts'
import { type Fault, readTyped } from './field-values.ts'
import { FIELDS, type Field, nameOf, noneOf } from './fields.ts'

/** The value of a choice that hides what stands above. */
export const NONE = 'none'

/**
 * The configuration as a form wants it: a field that was left empty is taken out, a field that the form does not have
 * stays, and so does everything that is not read. Unchanged fields stay exactly as stored.
 */
export function readSettings(
  form: Record<string, string>,
  before: JsonObject,
): { config: JsonObject } | { faults: Map<string, Fault | { fault: 'both' }> } {
  let config: Record<string, unknown> = { ...before }
  const faults = new Map<string, Fault | { fault: 'both' }>()
  for (const field of FIELDS as readonly Field[]) {
    const name = nameOf(field.key)
    const sent = form[name]?.replace(/\r\n?/g, '\n')
    if (sent === undefined) continue
    const text = field.kind.as === 'paper' && sent.trim() !== '' ? sent : sent.trim()
    const isChoice = field.kind.as === 'choice' || field.kind.as === 'yes'
    const none = noneOf(field)
    const isNone = none !== undefined && (isChoice ? text === NONE : form[`${name}-none`] === 'yes')
    if (isNone && !isChoice && text !== '') faults.set(field.key, { fault: 'both' })
    // None is said in more than one way: the way it was said in stays.
    else if (isNone) config = saysNone(field, before) ? config : withMember(config, field.key, none)
    else if (text === '') config = withMember(config, field.key, undefined)
    else if (sent !== typedIn(field, before)) {
      const read = readTyped(field, text)
      if ('fault' in read) faults.set(field.key, read)
      else config = withMember(config, field.key, read.value)
    }
  }
  return faults.size > 0 ? { faults } : { config }
}
