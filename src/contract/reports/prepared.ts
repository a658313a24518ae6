import * as Type from 'typebox'
import { Titled } from '../common.ts'

/** The report of `fiskd --prepare`: the paths of the parts, and which parts it has just created. Paths are absolute. */
export const PreparedSchema = Titled('Prepared', {
  data_dir: Type.String(),
  database: Type.String(),
  vault_key: Type.String(),
  tls_ca: Type.String(),
  created: Type.Array(Type.String(), { description: 'The parts that were not there before' }),
})

export type Prepared = Type.Static<typeof PreparedSchema>
