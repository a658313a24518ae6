import * as Type from 'typebox'
import { Titled } from '../common.ts'

/** What `fiskd --prepare-image` would remove of the data directory, and with `--remove` has removed. */
export const ImagePreparedSchema = Titled('ImagePrepared', {
  data_dir: Type.String(),
  removed: Type.Array(Type.String(), { description: 'Names in the data directory' }),
  kept: Type.Array(Type.String(), { description: 'Names in the data directory' }),
  done: Type.Boolean({ description: 'False: nothing has been removed yet' }),
})

export type ImagePrepared = Type.Static<typeof ImagePreparedSchema>
