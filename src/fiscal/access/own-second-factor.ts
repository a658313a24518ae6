import { conflict, FiskError, invalidRequest } from '../../domain/errors.ts'
import type { User } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { changeAccount, requireOwnPassword } from './accounts.ts'
import { type NewSecret, newRecoveryCodes, newSecret, recoveryHash, stepOfCode } from './second-factor.ts'
import { type SessionDeps, secretOf, sessionHash, totpContext } from './sessions.ts'

const SECRET = /^[A-Z2-7]{32}$/

export function createSecondFactor(deps: SessionDeps) {
  const { store, clock, vault } = deps
  return {
    /** A secret that is not in use yet. @param again a secret that was shown before, to show it again */
    newSecret: (user: User, again?: string): Promise<NewSecret> =>
      newSecret(user.name, again !== undefined && SECRET.test(again) ? again : undefined),
    /**
     * Ends the user's other sessions. @returns the recovery codes, which are stored as hashes only
     * @throws FiskError `invalid_credentials` for a wrong code, 409 when a second factor exists already
     */
    async enable(user: User, token: string, secret: string, code: string, keep?: Keep<string[]>): Promise<string[]> {
      if (user.sealedTotp) throw conflict('code', 'there is a second factor already')
      if (!SECRET.test(secret)) throw invalidRequest('secret', 'this is no secret that was made here')
      const step = await stepOfCode(secret, code, clock.now())
      if (step === null) throw wrongCode()
      const sealedTotp = vault.seal(Buffer.from(secret, 'utf8'), totpContext(user.id))
      const endSessionsBut = sessionHash(token)
      return withCodes(user, { changes: { sealedTotp, totpStep: step }, endSessionsBut }, keep)
    },
    /** @throws FiskError `invalid_credentials` for a wrong password */
    async disable(user: User, password: string, keep?: Keep<void>): Promise<void> {
      await requireOwnPassword(deps, user, password, 'factor_password')
      const changes = { sealedTotp: null, totpStep: 0 }
      await changeAccount(deps, { user, by: user, changes, recoveryCodes: [] }, keep)
    },
    /**
     * Makes new recovery codes; the earlier ones end.
     * @throws FiskError `invalid_credentials` for a wrong password or a wrong or used code, 409 without a second factor
     */
    async renewCodes(user: User, { password, code }: { password: string; code: string }, keep?: Keep<string[]>) {
      if (!user.sealedTotp) throw conflict('code', 'there is no second factor')
      await requireOwnPassword(deps, user, password, 'codes_password')
      const step = await stepOfCode(secretOf(vault, user), code, clock.now())
      if (step === null) throw wrongCode()
      // The code may be shown elsewhere at the same moment.
      const require = async (tx: StoreTransaction) => {
        if (!(await tx.users.takeTotpStep(user.id, step))) throw wrongCode()
      }
      return withCodes(user, { changes: { totpStep: step }, require }, keep)
    },
    codesLeft: ({ id }: User): Promise<number> => store.recoveryCodes.count(id),
  }

  async function withCodes(
    user: User,
    change: Pick<Parameters<typeof changeAccount>[1], 'changes' | 'require' | 'endSessionsBut'>,
    keep: Keep<string[]> | undefined,
  ): Promise<string[]> {
    const codes = newRecoveryCodes()
    const recoveryCodes = codes.map((code) => recoveryHash(code) ?? '')
    await changeAccount(deps, { user, by: user, ...change, recoveryCodes }, keep && ((tx) => keep(tx, codes)))
    return codes
  }
}

const wrongCode = () => new FiskError('invalid_credentials', 'the code is wrong or was used already', { param: 'code' })
