import * as Type from 'typebox'
import { Titled } from '../common.ts'

const texts = (description: string) => Type.Array(Type.String(), { description })

/** What `fiskd --check-config` reports of an environment. */
export const JudgementSchema = Titled('Judgement', {
  ok: Type.Boolean(),
  problems: texts('What is wrong with it, by name and value: the daemon would not start'),
  unknown: texts('Variables that look like its own and are not'),
  absent: texts('Addresses in FISKD_LISTEN that this machine does not have now'),
})

export type Judgement = Type.Static<typeof JudgementSchema>
