import { expect } from 'vitest'
import { openPkcs12 } from '../../../src/certificates/pkcs12.ts'
import { FiskError } from '../../../src/domain/errors.ts'

/** What the opener says about a file that it must refuse. */
export async function refusalOf(file: Buffer, passphrase: string): Promise<FiskError> {
  try {
    await openPkcs12(file, passphrase)
  } catch (error) {
    if (error instanceof FiskError) return error
    throw error
  }
  throw new Error('the file was opened')
}

/** For `toMatchObject`: a 400 that names the field. */
export const refused = (param: string, message: RegExp) => ({
  code: 'invalid_request',
  status: 400,
  param,
  message: expect.stringMatching(message),
})
