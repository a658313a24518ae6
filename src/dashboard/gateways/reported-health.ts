import { blockerWords } from '../../domain/texts/blocker-texts.ts'
import type { Heartbeat } from '../../fiscal/ports/gateways.ts'
import type { Language } from '../../fiscal/ports/model.ts'

/** What a gateway has said of itself, in the reader's language; of a cause that only newer versions know, just that. */
export function sayReported(problem: Heartbeat['problems'][number], language: Language) {
  const [what, todo] = blockerWords(problem.cause, problem, language) ?? [`${problem.subject}: ${problem.cause}`, null]
  return { what, todo }
}
