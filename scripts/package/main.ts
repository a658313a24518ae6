import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundle } from '../bundle.ts'
import { EXTERNALS } from '../externals.ts'
import { newestEntry } from './changelog.ts'
import { makePackage } from './make.ts'
import { closureOf, manifestOf } from './modules.ts'
import { shippedNotices } from './notices.ts'
import { type Options, optionsOf, USAGE } from './options.ts'
import { signingKeys } from './repository/keys.ts'
import { publish } from './repository/publish.ts'
import { requireTools } from './tools.ts'

/** @returns how many packages were not made @throws Error when nothing can be done at all */
async function main({ names, out, repository, signWith, url }: Options): Promise<number> {
  requireTools([
    'dpkg-deb',
    'readelf',
    'tar',
    ...(repository === undefined ? [] : (['apt-ftparchive', 'gpg'] as const)),
  ])
  const keys = repository === undefined ? [] : signingKeys(signWith)
  const { version, writtenAt } = newestEntry()
  if (version !== manifestOf('.').version)
    throw new Error(`the changelog begins with ${version}, package.json does not`)
  // What is built tells this time as its own: the same sources make the same package.
  process.env.SOURCE_DATE_EPOCH ??= String(writtenAt.getTime() / 1000)
  const { inputs } = await bundle()
  const notices = shippedNotices(inputs, closureOf(EXTERNALS))
  const debs: string[] = []
  for (const name of names) {
    try {
      const file = makePackage(name, { version, writtenAt, notices }, resolve(out))
      process.stdout.write(`${name}: ${file}, ${(statSync(file).size / 1024 / 1024).toFixed(1)} MB\n`)
      debs.push(file)
    } catch (error) {
      process.stderr.write(`${name}: not made: ${(error as Error).message}\n`)
    }
  }
  if (repository !== undefined && debs.length === names.length) {
    publish(resolve(repository), { debs, keys, url })
    process.stdout.write(`repository: ${resolve(repository)}, signed by ${keys.join(' and ')}\n`)
  }
  return names.length - debs.length
}

try {
  const options = optionsOf(process.argv.slice(2))
  if (options.help) process.stdout.write(USAGE)
  else process.exitCode = (await main(options)) === 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
