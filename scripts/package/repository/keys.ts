import { run } from '../run.ts'

const HOW_TO_MAKE_ONE = `A repository is signed: name a key of your GNUPGHOME with --sign-with KEYID. None is made here, for whoever has it can
install programs as root on every machine that trusts it. To make one, by hand and once, and to keep a copy of it apart:
  gpg --quick-generate-key 'fiskd archive <archive@YOUR.DOMAIN>' ed25519 sign never
  gpg --armor --export-secret-keys 'fiskd archive' > COPY`

/**
 * The fingerprints of keys of the caller's GNUPGHOME.
 * @param ids with commas: while a new key takes the place of an old one both sign
 * @throws Error that says how to make a key when none is named, or which one cannot sign
 */
export function signingKeys(ids: string | undefined): string[] {
  if (!ids) throw new Error(HOW_TO_MAKE_ONE)
  return ids.split(',').map(fingerprintOf)
}

/** Reads what gpg lists for programs (its file doc/DETAILS): field 12 has an S where the whole key can sign. */
function fingerprintOf(id: string): string {
  const rows = listed(id).map((line) => line.split(':'))
  const keys = rows.filter(([kind]) => kind === 'sec')
  const fingerprint = rows.find(([kind]) => kind === 'fpr')?.[9]
  if (keys.length === 0 || !fingerprint) throw new Error(`gpg has no secret key ${id} here.\n${HOW_TO_MAKE_ONE}`)
  if (keys.length > 1) throw new Error(`${keys.length} secret keys are called ${id}: name one by its fingerprint`)
  if (!keys[0]?.[11]?.includes('S'))
    throw new Error(`the key ${id} cannot sign: it has expired, was revoked, or is not made for that`)
  return fingerprint
}

function listed(id: string): string[] {
  try {
    return run('gpg', ['--batch', '--with-colons', '--list-secret-keys', '--', id]).split('\n')
  } catch {
    return []
  }
}

/** What programs of apt need to check signatures. */
export function publicKeys(keys: readonly string[], file: string, form: '--armor' | '--no-armor'): void {
  run('gpg', ['--batch', form, '--export-options', 'export-minimal', '--output', file, '--export', ...keys])
}

/** @param how `--clearsign`: with the text, or `--detach-sign`: the signature alone */
export function sign(text: string, file: string, keys: readonly string[], how: '--clearsign' | '--detach-sign'): void {
  const signers = keys.flatMap((key) => ['--local-user', key])
  run('gpg', ['--batch', '--armor', '--digest-algo', 'SHA512', ...signers, '--output', file, how, text])
}
