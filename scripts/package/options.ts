import { parseArgs } from 'node:util'
import { ARCHITECTURES, type ArchitectureName, isArchitecture } from './architectures.ts'

export const USAGE = `npm run package [-- --arch amd64,arm64] [--out packages] [--repository DIR --sign-with KEYID [--url https://...]]

Makes a Debian package per architecture, on any of them: nothing is compiled. The first time it fetches Node from the npm
registry. The version is the one of package.json, and scripts/package/debian/changelog says what is new in it.

--repository puts them into a signed repository for apt as well, which is made where there is none. Versions that are there
stay. KEYID is a key of your GNUPGHOME; two, with a comma, while one takes the place of the other. --url is where machines
reach it, for the file fiskd.sources.
`

export interface Options {
  names: ArchitectureName[]
  out: string
  repository?: string | undefined
  signWith?: string | undefined
  url?: string | undefined
  help: boolean
}

/** @throws Error for what is not in the usage */
export function optionsOf(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      arch: { type: 'string', default: Object.keys(ARCHITECTURES).join(',') },
      out: { type: 'string', default: 'packages' },
      repository: { type: 'string' },
      'sign-with': { type: 'string' },
      url: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const { arch, out, repository, 'sign-with': signWith, url, help } = values
  const names = arch.split(',')
  if (!names.every(isArchitecture))
    throw new Error(`--arch ${arch}: there are ${Object.keys(ARCHITECTURES).join(', ')}`)
  if (repository === undefined && (signWith ?? url) !== undefined)
    throw new Error('--sign-with and --url go with --repository')
  return { names, out, repository, signWith, url, help }
}
