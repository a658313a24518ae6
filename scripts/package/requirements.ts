import { run } from './run.ts'

/** Debian's package for a shared library; with the versions of it that brought a version of its symbols. */
const LIBRARIES: Record<string, { package: string; symbols?: string; since?: (symbols: string) => string }> = {
  'libc.so.6': { package: 'libc6', symbols: 'GLIBC', since: (version) => version },
  'libm.so.6': { package: 'libc6' },
  'libdl.so.2': { package: 'libc6' },
  'libpthread.so.0': { package: 'libc6' },
  'librt.so.1': { package: 'libc6' },
  'libgcc_s.so.1': { package: 'libgcc-s1' },
  'libatomic.so.1': { package: 'libatomic1' },
  'libstdc++.so.6': { package: 'libstdc++6', symbols: 'GLIBCXX', since: compilerOf },
}

/** The compiler's release that brought a version of libstdc++ (its manual, ABI Policy and Guidelines). */
const COMPILERS = [
  ['3.4.26', '9'],
  ['3.4.28', '10'],
  ['3.4.29', '11'],
  ['3.4.30', '12'],
  ['3.4.32', '13'],
] as const

function compilerOf(symbols: string): string {
  const found = COMPILERS.find(([version]) => isAtMost(symbols, version))
  if (!found) throw new Error(`it is not known which libstdc++6 has GLIBCXX_${symbols}`)
  return found[1]
}

/** What compiled programs and modules need of Debian, for the field `Depends`. @throws Error for an unknown library */
export function requirementsOf(files: readonly string[]): string[] {
  const highest = new Map<string, string | null>()
  for (const file of files) {
    const read = run('readelf', ['--wide', '--dynamic', '--version-info', file])
    for (const [, library = ''] of read.matchAll(/\(NEEDED\).*\[(.+)\]/g)) {
      if (library.startsWith('ld-linux')) continue
      const known = LIBRARIES[library]
      if (!known) throw new Error(`${file} needs ${library}: say which package of Debian has it`)
      const { package: name, symbols, since } = known
      const versions = symbols
        ? [...read.matchAll(new RegExp(`\\b${symbols}_([0-9.]+)`, 'g'))].map(([, it = '']) => it)
        : []
      const newest = versions.reduce<string | null>((a, b) => (a !== null && isAtMost(b, a) ? a : b), null)
      const wanted = newest !== null && since ? since(newest) : null
      const sofar = highest.get(name) ?? null
      highest.set(name, wanted === null || (sofar !== null && isAtMost(wanted, sofar)) ? sofar : wanted)
    }
  }
  return [...highest].map(([name, version]) => (version === null ? name : `${name} (>= ${version})`)).sort()
}

function isAtMost(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number))
  for (let index = 0; index < Math.max(a?.length ?? 0, b?.length ?? 0); index += 1) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return true
}
